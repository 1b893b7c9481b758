import { View } from '@tarojs/components'
import { useState } from 'react'
import { estimate, estimateRange } from '@/contract/format'
import { closenessText, comparableKindText, outlierText } from '@/contract/labels'
import { isOutlier, splitDots } from '@/contract/priceRange'
import { pastDayText } from '@/contract/timeText'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Notice } from '@/ui/Notice/Notice'
import { PriceRangeBar } from '@/ui/PriceRangeBar/PriceRangeBar'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import { gapText } from '../model'
import { useReprice } from '../useReprice'
import { ComparablePlot } from './ComparablePlot'
import './Comparables.scss'

type Comparable = NonNullable<Report['comparables']>[number]

interface RowProps {
  one: Comparable
  outlier: boolean
  out: boolean
  /** the estimate without the rejected ones, fen */
  repricedFen: number | undefined
  busy: boolean
  /** absent for readers who do not own the report, who cannot reject comparables */
  onAct: ((one: Comparable) => void) | undefined
}

function ComparableRow({ one, outlier, out, repricedFen, busy, onAct }: RowProps) {
  const what = `${comparableKindText[one.kind]} ${estimate(one.priceFen)}`
  return (
    <View className={cx('rp-comp', out && 'rp-comp--out')}>
      <View className='rp-comp__head'>
        <Tag
          tone={outlier ? 'warn' : one.kind === 'SOLD' ? 'ok' : 'plain'}
          icon={outlier ? 'warning' : one.kind === 'SOLD' ? 'check' : 'clock'}
        >
          {(outlier ? outlierText : comparableKindText)[one.kind]}
        </Tag>
        <View className='rp-comp__price'>{estimate(one.priceFen)}</View>
        <View className='rp-comp__side'>
          <View className='rp-comp__bit'>{closenessText[one.closeness]}</View>
          <View className='rp-comp__bit'>{pastDayText(one.at, serverTime())}</View>
        </View>
      </View>
      <View className='rp-comp__diffs'>
        {`${copy.theirs}${one.diff.length > 0 ? one.diff.join('、') : copy.theirsSame}`}
      </View>
      <View className='rp-comp__foot'>
        <View className='rp-comp__adj'>
          {out ? copy.rejected(repricedFen) : `${onAct ? copy.adjusted : copy.adjustedHere} ${estimate(one.adjFen)}`}
        </View>
        {onAct ? (
          <Button
            kind='ghost'
            size='s'
            disabled={busy}
            label={out ? copy.restoreLabel(what) : copy.rejectLabel(what)}
            onClick={() => onAct(one)}
          >
            {out ? copy.restore : copy.reject}
          </Button>
        ) : null}
      </View>
    </View>
  )
}

/** relative changes below this are shown as "no change" */
const MIN_VISIBLE_CHANGE = 0.005

/** The recomputed price beside the price of the report, which does not change. */
function RepriceResult({
  n,
  repriced,
  original,
}: {
  n: number
  repriced: NonNullable<Report['repriced']>
  original: number
}) {
  const { price, comparables } = repriced
  return (
    <View className='rp-again' {...a11y('status')}>
      <View className='rp-again__name'>{copy.repriced(n)}</View>
      <View className='rp-again__price'>{estimate(price.predictFen)}</View>
      <View className='rp-again__note'>{estimateRange(price.lowFen, price.highFen)}</View>
      <PriceRangeBar price={{ ...price, coverage: price.coverage ?? 0.8 }} dots={splitDots(comparables, price).dots} />
      <View className='rp-again__note'>{copy.original(estimate(original))}</View>
      {Math.abs(price.predictFen - original) < MIN_VISIBLE_CHANGE * original ? (
        <View className='rp-again__note'>{copy.outweighed}</View>
      ) : null}
    </View>
  )
}

/** number of cards shown before the list is expanded */
const SHOWN_CARDS = 3

/**
 * Similar accounts, each marked as sold or asking; the owner may reject dissimilar ones. Rejected ones stay visible, so
 * that they can be restored.
 */
export function Comparables({ report }: { report: Report }) {
  const { rows, n, repriced, busy, error, reject, restore } = useReprice(report)
  const [all, setAll] = useState(false)
  const mine = report.mine !== false
  if (!report.comparables?.length) return null
  const kept = rows.filter(({ out }) => !out).length
  const { gap, price } = report
  const shown = all ? rows : rows.filter(({ out }, i) => out || i < SHOWN_CARDS)
  return (
    <Card title={copy.comparables} extra={busy ? copy.rejecting : copy.comparablesMost(kept)}>
      <ComparablePlot rows={rows} price={(repriced ?? report).price} />
      {repriced ? <RepriceResult n={n} repriced={repriced} original={price.predictFen} /> : null}
      {gap && !repriced ? <View className='rp-comp__gap'>{gapText(gap, price.predictFen, mine)}</View> : null}
      {error ? <Notice tone='warn' text={error} /> : null}
      {shown.map(({ one, out }) => (
        <ComparableRow
          key={one.id}
          one={one}
          outlier={isOutlier(one, (repriced ?? report).price.predictFen)}
          out={out}
          repricedFen={repriced?.price.predictFen}
          busy={busy}
          onAct={mine ? (out ? restore : reject) : undefined}
        />
      ))}
      {all ? (
        <View className='rp-comp__note'>{`${copy.comparablesNote(mine)}${mine ? copy.comparablesReject : ''}`}</View>
      ) : null}
      {rows.length > SHOWN_CARDS ? (
        <Disclosure open={all} onToggle={setAll} text={all ? copy.fewerComparables : copy.allComparables} />
      ) : null}
    </Card>
  )
}
