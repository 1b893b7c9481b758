import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import { preview } from '@/platform/preview'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { copy } from './copy'
import { PICTURES_MAX } from './model'

interface Props {
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  onUploading: (uploading: boolean) => void
}

/** Up to three pictures beside the words. */
export function Pictures({ keys, onKeys, onUploading }: Props) {
  const { items, add, remove, again, move } = usePictures({ scene: 'EVALUATION', keys, onKeys, most: PICTURES_MAX })
  const uploading = items.some(({ state }) => state === 'busy')
  useEffect(() => onUploading(uploading), [uploading, onUploading])
  const seen = items.flatMap(({ state, src }) => (state === 'done' && src ? [src] : []))
  return (
    <ImagePicker
      label={copy.pictures}
      items={items}
      most={PICTURES_MAX}
      onAdd={() => void add()}
      onRemove={remove}
      onAgain={again}
      onMove={move}
      onView={(id) => preview.open(seen, items.find((item) => item.id === id)?.src)}
    />
  )
}
