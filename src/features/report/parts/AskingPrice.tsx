import { View } from '@tarojs/components'
import { isWide } from '@/contract/priceRange'
import type { Report } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { copy } from '../copy'
import './AskingPrice.scss'

/** The price that the owner asks in a listing, beside the report's, and what follows from it. */
export function AskingPrice({ report: { asking, price } }: { report: Report }) {
  if (!asking) return null
  const { fen, overPrice } = asking
  const where = fen < price.lowFen ? 'below' : fen > price.highFen ? 'above' : 'within'
  return (
    <Card>
      <View className='rp-asking'>{isWide(price) ? copy.askedSpan(fen) : copy.asked(fen, overPrice)}</View>
      <View className='rp-note'>{copy.askedMeans[where]}</View>
    </Card>
  )
}
