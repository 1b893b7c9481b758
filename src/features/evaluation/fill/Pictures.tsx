import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import { preview } from '@/platform/preview'
import type { FieldProps } from '@/ui/Field/Field'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'

interface Props extends Omit<FieldProps, 'children' | 'inline'> {
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  most: number
  onUploading: (uploading: boolean) => void
}

/** Screenshots of the account, as keys of what is uploaded. */
export function Pictures({ keys, onKeys, most, onUploading, ...field }: Props) {
  const { items, add, remove, again, move } = usePictures({ scene: 'ACCOUNT', keys, onKeys, most })
  const uploading = items.some(({ state }) => state === 'busy')
  useEffect(() => {
    onUploading(uploading)
    return () => onUploading(false)
  }, [uploading, onUploading])
  const view = (id: string) => {
    const seen = items.flatMap(({ state, src }) => (state === 'done' && src ? [src] : []))
    preview.open(seen, items.find((item) => item.id === id)?.src)
  }
  return (
    <ImagePicker
      {...field}
      items={items}
      most={most}
      onAdd={() => void add()}
      onRemove={remove}
      onAgain={again}
      onMove={move}
      onView={view}
    />
  )
}
