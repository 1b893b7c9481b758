import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'
import { copy } from '../copy'
import { PICTURES_MAX } from '../model'

interface Props {
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  onPending: (pending: string | undefined) => void
}

export function ReviewPicturePicker({ keys, onKeys, onPending }: Props) {
  const { picker, pending } = usePictures({ scene: 'EVALUATION', keys, onKeys, max: PICTURES_MAX })
  useEffect(() => {
    onPending(pending)
    return () => onPending(undefined)
  }, [pending, onPending])
  return <ImagePicker label={copy.pictures} {...picker} />
}
