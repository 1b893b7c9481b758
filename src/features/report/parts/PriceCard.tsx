import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { gameOfTitle, percentileText } from '@/contract/format'
import { rangeText } from '@/contract/rangeText'
import type { Report } from '@/contract/types'
import { openFormWithAnswers } from '@/router/openFormWithAnswers'
import { buildUrl } from '@/router/params'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Price } from '@/ui/Price/Price'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import { adoptedComparables, originLabel, validity } from '../model'
import { Assumed } from './Assumed'
import { PriceRangeChart } from './PriceRangeChart'
import './PriceCard.scss'

interface Props {
  report: Report
  /** ms */
  now: number
  /** name the owner gave the account */
  name: ReactNode
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
export function PriceCard({ report, now, name }: Props) {
  const { price, title, account, percentile, liquidity, confidence } = report
  const adopted = adoptedComparables(report)
  const range = rangeText(price)
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
      <Assumed report={report} />
      {price.isOpen && report.mine !== false ? (
        <Pressable
          className='rp-price__assumed'
          onClick={() => void openFormWithAnswers({ ...report, gameName: gameOfTitle(title), mode: 'MANUAL' })}
        >
          {copy.askAppraiser}
        </Pressable>
      ) : null}
      {report.askFen ? (
        <View className='rp-price__range'>{copy.asked(report.askFen, report.askFen / price.predictFen - 1)}</View>
      ) : null}
    </View>
  )
}
