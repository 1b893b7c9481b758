import { View } from '@tarojs/components'
import { dotsOf } from '@/contract/band'
import { rangeText } from '@/contract/format'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { Price } from '@/ui/Price/Price'
import { PriceBand } from '@/ui/PriceBand/PriceBand'
import { copy } from '../copy'
import { originLabel, validity } from '../model'
import { Name } from './Name'
import './PriceCard.scss'

/** The range and where comparable accounts stand, then the number: the first thing on a report. */
export function PriceCard({ report, onNamed }: { report: Report; onNamed: () => void }) {
  const { price, title, account, comparables = [] } = report
  const { coverage } = price
  const range = rangeText(price)
  return (
    <View className='rp-price'>
      <View className='rp-price__head'>
        <View className='rp-price__title'>
          {title}
          {account.idMasked ? <View className='rp-price__id'>ID {account.idMasked}</View> : null}
          {report.mine === false ? null : <Name report={report} onNamed={onNamed} />}
        </View>
        <View className='rp-price__label'>{originLabel(report)}</View>
      </View>
      {coverage === undefined ? null : (
        <PriceBand price={{ ...price, coverage }} dots={dotsOf(comparables, price)} three={false} onGradient />
      )}
      <View className='rp-price__name'>{copy.predict}</View>
      <Price fen={price.predictFen} size='xl' />
      {range ? <View className='rp-price__range'>{range}</View> : null}
      <View className='rp-price__foot'>{validity(report, serverTime()).text}</View>
    </View>
  )
}
