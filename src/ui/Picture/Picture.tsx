import { Image } from '@tarojs/components'
import { type ComponentProps, useMemo } from 'react'

interface Props extends Omit<ComponentProps<typeof Image>, 'nativeProps'> {
  /** accessible name; empty if text beside it says the same, or the tappable element around it has one */
  alt: string
}

/**
 * Used for every picture: on h5 Taro's component renders an `img` without a name, so screen readers read out its URL.
 */
export function Picture({ alt, ...rest }: Props) {
  // stable identity: a new object makes Taro re-render the element
  const native = useMemo(() => ({ alt }), [alt])
  return <Image {...rest} nativeProps={native} />
}
