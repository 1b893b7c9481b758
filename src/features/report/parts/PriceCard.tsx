import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { dotsOf } from '@/contract/band'
import { rangeText } from '@/contract/format'
import type { Report } from '@/contract/types'
import { Price } from '@/ui/Price/Price'
import { PriceBand } from '@/ui/PriceBand/PriceBand'
import { copy } from '../copy'
import { originLabel, validity } from '../model'
import './PriceCard.scss'

interface Props {
  report: Report
  /** ms */
  now: number
  /** what its owner calls it */
  name: ReactNode
}

/** The range and where comparable accounts stand, then the number: the first thing on a report. */
export function PriceCard({ report, now, name }: Props) {
  const { price, title, account, comparables = [] } = report
  const { coverage } = price
  const range = rangeText(price)
  return (
    <View className='rp-price'>
      <View className='rp-price__head'>
        <View className='rp-price__title'>
          {title}
          {account.idMasked ? <View className='rp-price__id'>ID {account.idMasked}</View> : null}
          {name}
        </View>
        <View className='rp-price__label'>{originLabel(report)}</View>
      </View>
      {coverage === undefined ? null : (
        <PriceBand price={{ ...price, coverage }} dots={dotsOf(comparables, price)} three={false} onGradient />
      )}
      <View className='rp-price__name'>{copy.predict}</View>
      <Price fen={price.predictFen} size='xl' />
      {range ? <View className='rp-price__range'>{range}</View> : null}
      <View className='rp-price__foot'>{validity(report, now).text}</View>
    </View>
  )
}
