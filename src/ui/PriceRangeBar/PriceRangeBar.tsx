import { View } from '@tarojs/components'
import { type PriceRange, positionOn, positionOnScale, priceRangeText, type Scale } from '@/contract/priceRange'
import { a11y } from '../a11y'
import './PriceRangeBar.scss'

interface Props {
  price: PriceRange
  /** common scale for comparing several bands, from end to end of the line; by default the band has its fixed place */
  scale?: Scale | undefined
}

/** The range of a valuation for lists and comparisons: a band for the interval, a tick for the reference price. */
export function PriceRangeBar({ price, scale }: Props) {
  const ends = scale && {
    left: `${positionOnScale(price.lowFen, scale)}%`,
    // the same formula, mirrored
    right: `${positionOnScale(scale.lowFen + scale.highFen - price.highFen, scale)}%`,
  }
  return (
    <View className='ui-range ui-range--small'>
      <View {...a11y('img', { label: priceRangeText(price) })}>
        <View className='ui-range__line'>
          <View className='ui-range__range' style={ends} />
          <View
            className='ui-range__tick'
            style={{
              left: `${scale ? positionOnScale(price.predictFen, scale) : positionOn(price.predictFen, price)}%`,
            }}
          />
        </View>
      </View>
    </View>
  )
}
