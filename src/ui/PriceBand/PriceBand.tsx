import { View } from '@tarojs/components'
import { type BandDot, type BandPrice, bandText, place, type Scale } from '@/contract/band'
import { a11y } from '../a11y'
import './PriceBand.scss'

interface Props {
  price: BandPrice
  dots?: readonly BandDot[]
  /** common scale for comparing several bands; by default the band's own range */
  scale?: Scale | undefined
}

/** The range of a valuation for lists and comparisons: a band for the interval, a tick for the reference price. */
export function PriceBand({ price, dots = [], scale }: Props) {
  const ends = scale && {
    left: `${place(price.lowFen, scale)}%`,
    // the same formula, mirrored
    right: `${place(scale.lowFen + scale.highFen - price.highFen, scale)}%`,
  }
  return (
    <View className='ui-band ui-band--small'>
      <View {...a11y('img', { label: bandText(price, dots) })}>
        <View className='ui-band__line'>
          <View className='ui-band__range' style={ends} />
          <View className='ui-band__tick' style={{ left: `${place(price.predictFen, scale ?? price)}%` }} />
        </View>
      </View>
    </View>
  )
}
