import { View } from '@tarojs/components'
import { estimateRange } from '@/contract/format'
import type { Report } from '@/contract/types'
import { Price } from '@/ui/Price/Price'
import { PriceBand } from '@/ui/PriceBand/PriceBand'
import { copy } from '../copy'
import { originLabel, validity } from '../model'
import './PriceCard.scss'

/** The number, its range and where comparable accounts stand: the first thing on a report. */
export function PriceCard({ report }: { report: Report }) {
  const { price, title, comparables = [] } = report
  return (
    <View className='rp-price'>
      <View className='rp-price__head'>
        <View className='rp-price__title'>{title}</View>
        <View className='rp-price__label'>{originLabel(report)}</View>
      </View>
      <View className='rp-price__name'>{copy.predict}</View>
      <Price fen={price.predictFen} size='xl' />
      <View className='rp-price__range'>
        {copy.range(price.coverage ?? 0.8)} {estimateRange(price.lowFen, price.highFen)}
      </View>
      <PriceBand price={price} dots={comparables} onGradient />
      <View className='rp-price__foot'>{validity(report, Date.now()).text}</View>
    </View>
  )
}
