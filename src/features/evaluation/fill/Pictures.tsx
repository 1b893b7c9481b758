import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import type { FieldProps } from '@/ui/Field/Field'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  max: number
  onPending: (pending: string | undefined) => void
}

/** Screenshots of the account, as keys of uploaded files. */
export function Pictures({ keys, onKeys, max, onPending, ...field }: Props) {
  const { picker, pending } = usePictures({ scene: 'ACCOUNT', keys, onKeys, max })
  useEffect(() => {
    onPending(pending)
    return () => onPending(undefined)
  }, [pending, onPending])
  return <ImagePicker {...field} {...picker} />
}
