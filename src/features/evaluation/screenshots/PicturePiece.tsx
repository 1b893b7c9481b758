import { View } from '@tarojs/components'
import { useState } from 'react'
import { Picture } from '@/ui/Picture/Picture'

/** px of the piece */
const WIDTH = 120
const HEIGHT = 44
/** how much of the surroundings is shown, by the width of the text */
const MARGIN = 0.4
/** the smallest share of the picture's width that fills the piece, or it would be blurred */
const SMALLEST = 0.12

interface Props {
  src: string
  /** left, top, width, height as fractions of the picture */
  box: readonly number[]
  alt: string
}

/** The piece of a picture around a text. */
export function PicturePiece({ src, box, alt }: Props) {
  const [ratio, setRatio] = useState<number>()
  const [x = 0, y = 0, w = 1, h = 1] = box
  const shown = Math.min(1, Math.max(SMALLEST, w * (1 + 2 * MARGIN)))
  const width = WIDTH / shown
  const height = width * (ratio ?? 2)
  const left = Math.min(0, Math.max(WIDTH - width, WIDTH / 2 - (x + w / 2) * width))
  const top = Math.min(0, Math.max(HEIGHT - height, HEIGHT / 2 - (y + h / 2) * height))
  const place = { width: `${width}px`, height: `${height}px`, left: `${left}px`, top: `${top}px` }
  return (
    <View className='shots__piece'>
      <Picture
        alt={alt}
        className='shots__whole'
        src={src}
        style={place}
        onLoad={({ detail }) => setRatio(Number(detail.height) / Number(detail.width))}
      />
    </View>
  )
}
