import { Image } from '@tarojs/components'
import { type ComponentProps, useMemo } from 'react'

interface Props extends Omit<ComponentProps<typeof Image>, 'nativeProps'> {
  /** its spoken name; empty where words beside it say the same, or the tap around it has one */
  alt: string
}

/** Every picture: Taro's own leaves its `img` on h5 without a name, and readers speak the address. */
export function Picture({ alt, ...rest }: Props) {
  // keeps its identity: a new object redraws Taro's element
  const native = useMemo(() => ({ alt }), [alt])
  return <Image {...rest} nativeProps={native} />
}
