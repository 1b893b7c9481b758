import { useEffect } from 'react'
import { usePictures } from '@/api/usePictures'
import { ImagePicker } from '@/ui/ImagePicker/ImagePicker'

interface Props {
  label: string
  max: number
  keys: readonly string[]
  onKeys: (keys: string[]) => void
  onPending: (pending: string | undefined) => void
}

export function ReviewPicturePicker({ label, onPending, ...rest }: Props) {
  const { picker, pending } = usePictures({ scene: 'EVALUATION', ...rest })
  useEffect(() => {
    onPending(pending)
    return () => onPending(undefined)
  }, [pending, onPending])
  return <ImagePicker label={label} {...picker} />
}
