import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { percentileText } from '@/contract/format'
import { assumedText } from '@/contract/labels'
import { rangeText } from '@/contract/rangeText'
import type { Report } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import { adoptedComparables, originLabel, validity } from '../model'
import { PriceRangeChart } from './PriceRangeChart'
import './PriceCard.scss'

interface Props {
  report: Report
  /** ms */
  now: number
  /** name the owner gave the account */
  name: ReactNode
  /** ways from what is assumed of the account to its questions; a server draws the text alone */
  ways?: ReactNode
}

/** For visitors: leads to the page that says whether the report is ours and unchanged. */
const Proof = ({ url }: { url: string }) => (
  <Pressable role='link' className='rp-price__proof' href={buildUrl('webview', { url, title: copy.proof })}>
    {copy.signed}
  </Pressable>
)

/**
 * The price, its range, and a band with the three prices and the comparables: the most similar ones, or those that the
 * appraisers adopted. The coverage of an appraiser's range is not measured, so none is named.
 */
export function PriceCard({ report, now, name, ways }: Props) {
  const { price, title, account, percentile, liquidity, confidence } = report
  const adopted = adoptedComparables(report)
  const range = rangeText(price)
  const assumed = confidence?.assumed.length ?? 0
  return (
    <View className='rp-price'>
      <View className='rp-price__head'>
        <View className='rp-price__title'>
          {title}
          {account.idMasked ? <View className='rp-price__id'>{`ID ${account.idMasked}`}</View> : null}
          {name}
        </View>
        <View className='rp-price__label'>{originLabel(report)}</View>
      </View>
      <View className='rp-price__name'>
        <View>{copy.predict}</View>
        <View className='rp-price__valid'>
          {validity(report, now).text}
          {report.mine === false && report.verifyUrl ? <Proof url={report.verifyUrl} /> : null}
        </View>
      </View>
      <View className='rp-price__sum'>
        <Price fen={price.predictFen} size='hero' />
        {percentile === undefined ? null : <View className='rp-price__chip'>{percentileText(percentile, title)}</View>}
      </View>
      {range ? (
        <>
          <View className='rp-price__range'>
            <Unbroken text={range} />
          </View>
          <PriceRangeChart
            price={price}
            comparables={adopted ?? report.comparables ?? []}
            adopted={adopted !== undefined}
            sold={confidence?.sold}
            days={liquidity?.days}
            onGradient
          />
        </>
      ) : null}
      {ways ?? (assumed > 0 ? <View className='rp-price__assumed'>{assumedText(assumed)}</View> : null)}
      {report.askFen ? (
        <View className='rp-price__range'>{copy.asked(report.askFen, report.askFen / price.predictFen - 1)}</View>
      ) : null}
    </View>
  )
}
