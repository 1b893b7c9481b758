import { View } from '@tarojs/components'
import { useRef } from 'react'
import { a11y } from '@/ui/a11y'
import { copy } from '../copy'
import { placeOf, type RangeScale, roundedRangeText, unionOfScales } from './previewScale'
import type { PreviewRange } from './usePricePreview'
import './PricePreview.scss'

/** The price range as a band, which narrows on the scale of the widest range shown. */
export function PreviewBand({ range }: { range: PreviewRange | undefined }) {
  const scale = useRef<RangeScale | undefined>(undefined)
  scale.current = range && unionOfScales(scale.current, range)
  const { left, right } = placeOf(range, scale.current)
  return (
    <View className='fill-preview__line' style={{ opacity: range ? 1 : 0 }}>
      <View className='fill-preview__band' style={{ left: `${left}%`, width: `${100 - left - right}%` }} />
    </View>
  )
}

/** The price range so far. `range` undefined: the place is kept, so that the bar does not grow with the first answer. */
export function PricePreview({ range, rest }: { range: PreviewRange | undefined; rest: string }) {
  return (
    <View className='fill-preview' {...(range && a11y('img', { label: copy.previewText(range) }))}>
      <View className='fill-preview__price'>{range ? roundedRangeText(range) : copy.free}</View>
      <PreviewBand range={range} />
      <View className='fill-preview__note'>{rest}</View>
    </View>
  )
}
