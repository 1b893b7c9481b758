import { View } from '@tarojs/components'
import { priceOrFree, yuan } from '@/contract/format'
import type { PreOrder } from '@/contract/types'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Price } from '@/ui/Price/Price'
import { copy } from '../copy'
import { CouponPicker } from './CouponPicker'

interface Props {
  quote: PreOrder
  busy: boolean
  onChoose: (couponId: string) => void
}

/** Amounts as given by the server. */
export function AmountCard({ quote, busy, onChoose }: Props) {
  return (
    <Card flush>
      <Cell title={copy.origin} value={<View className='money-figure'>{yuan(quote.originFen)}</View>} />
      <CouponPicker quote={quote} busy={busy} onChoose={onChoose} />
      <Cell
        title={copy.total}
        value={<Price fen={quote.payFen} kind='paid' size='m' />}
        label={priceOrFree(quote.payFen)}
      />
    </Card>
  )
}
