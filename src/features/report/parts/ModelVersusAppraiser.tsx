import { View } from '@tarojs/components'
import { estimate, estimateRange, percent } from '@/contract/format'
import type { Report } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'
import './ModelVersusAppraiser.scss'

type PriceRange = Pick<Report['price'], 'predictFen' | 'lowFen' | 'highFen'>

function PriceColumn({ name, side }: { name: string; side: PriceRange }) {
  return (
    <View className='rp-side'>
      <View className='rp-side__name'>{name}</View>
      <View className='rp-side__price'>{estimate(side.predictFen)}</View>
      {side.lowFen < side.highFen ? (
        <View className='rp-side__range'>{estimateRange(side.lowFen, side.highFen)}</View>
      ) : null}
    </View>
  )
}

/**
 * The model's and the appraiser's price of the same account, with the reason for a large difference. A report that
 * includes the model's has its figures there, and leads to no other one of an earlier order; null without a reason.
 */
export function ModelVersusAppraiser({ report }: { report: Report }) {
  const { other, price, mode, ai: included } = report
  if (!other) return null
  const { orderId, reason } = other
  if (included && !reason) return null
  const [ai, manual] = mode === 'AI' ? [price, other] : [included?.price ?? other, price]
  const gap = Math.abs(manual.predictFen - ai.predictFen) / Math.max(1, ai.predictFen)
  const name = other.mode === 'AI' ? copy.otherAi : copy.otherManual
  return (
    <Card title={copy.other} extra={copy.otherGap(percent(gap, 0))}>
      {included ? null : (
        <View className='rp-sides'>
          <PriceColumn name={copy.otherAi} side={ai} />
          <PriceColumn name={copy.otherManual} side={manual} />
        </View>
      )}
      {reason ? (
        <View className='rp-gap'>
          <View className='rp-gap__title'>{copy.otherWhy}</View>
          {reason}
        </View>
      ) : null}
      {orderId && !included ? (
        <View className='rp-other'>
          <Cell title={copy.otherView(name)} onClick={() => void nav.to('report', { orderId })} />
        </View>
      ) : null}
    </Card>
  )
}
