import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import type { FieldProps } from '@/ui/Field/Field'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  max: number
  onUploading: (uploading: boolean) => void
}

/** Screenshots of the account, as keys of uploaded files. */
export function Pictures({ keys, onKeys, max, onUploading, ...field }: Props) {
  const { picker, uploading } = usePictures({ scene: 'ACCOUNT', keys, onKeys, max })
  useEffect(() => {
    onUploading(uploading)
    return () => onUploading(false)
  }, [uploading, onUploading])
  return <ImagePicker {...field} {...picker} />
}
