import { View } from '@tarojs/components'
import type { ReactNode } from 'react'
import { estimateRange, gameOfTitle } from '@/contract/format'
import { assumedText, modeText } from '@/contract/labels'
import { isWide } from '@/contract/priceRange'
import { rangeText } from '@/contract/rangeText'
import type { Report } from '@/contract/types'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Price } from '@/ui/Price/Price'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import { shownComparables } from '../model'
import { PriceRangeChart } from './PriceRangeChart'
import './PriceCard.scss'

interface Props {
  report: Report
  /** below the band */
  action?: ReactNode
}

/** The price once; where the range is too wide for one, the range in its place. */
function Sum({ report: { price, percentile, title } }: Props) {
  if (isWide(price)) return <View className='rp-price__span'>{estimateRange(price.lowFen, price.highFen)}</View>
  return (
    <View className='rp-price__sum'>
      <Price fen={price.predictFen} size='hero' />
      {percentile === undefined ? null : (
        <View className='rp-price__rank'>
          <View className='rp-price__share'>{copy.rank(percentile)}</View>
          {copy.rankOf(gameOfTitle(title))}
        </View>
      )}
    </View>
  )
}

/** Account, price, rank, and one band with the three prices under their ticks. */
export function PriceCard({ report, action }: Props) {
  const { price, title, account, gameId, liquidity, mode } = report
  const [game, ...facts] = title.split(' · ')
  const about = [...facts, account.idMasked && `ID ${account.idMasked}`].filter(Boolean).join(' · ')
  const range = rangeText(price)
  const assumed = price.assumed?.length ?? 0
  // an appraiser's comparables are the model's sales
  const model = report.model ?? report.ai?.model
  const wide = isWide(price)
  return (
    <View className='rp-price'>
      <View className='rp-price__head'>
        <GameTile gameId={gameId} size='s' />
        <View className='rp-price__title'>
          {account.name ? `${account.name} · ${game}` : game}
          {about ? <View className='rp-price__about'>{about}</View> : null}
        </View>
        <View className={`rp-price__label rp-price__label--${mode}`}>{modeText[mode]}</View>
      </View>
      <Sum report={report} />
      {range && !wide ? (
        <View className='rp-price__range'>
          <Unbroken text={range} />
        </View>
      ) : null}
      {assumed > 0 ? <View className='rp-price__range'>{assumedText(assumed)}</View> : null}
      {range ? (
        <PriceRangeChart price={price} comparables={shownComparables(report)} days={liquidity?.days} wide={wide} />
      ) : null}
      {action}
      {model?.synthetic ? (
        <View className='rp-price__notice'>
          <Unbroken text={copy.synthetic(model.syntheticShare)} />
        </View>
      ) : null}
    </View>
  )
}
