import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { copy } from '../copy'
import { PICTURES_MAX } from '../model'

interface Props {
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  onUploading: (uploading: boolean) => void
}

export function ReviewPicturePicker({ keys, onKeys, onUploading }: Props) {
  const { picker, uploading } = usePictures({ scene: 'EVALUATION', keys, onKeys, max: PICTURES_MAX })
  useEffect(() => onUploading(uploading), [uploading, onUploading])
  return <ImagePicker label={copy.pictures} {...picker} />
}
