import { View } from '@tarojs/components'
import { useState } from 'react'
import { estimate, estimateRange } from '@/contract/format'
import { alikeText, closenessText, comparableKindText } from '@/contract/labels'
import { pastDayText } from '@/contract/timeText'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { a11y } from '@/ui/a11y'
import { Button } from '@/ui/Button/Button'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Notice } from '@/ui/Notice/Notice'
import { copy } from '../copy'
import { gapText } from '../model'
import { useReprice } from '../useReprice'
import './Comparables.scss'

type Comparable = NonNullable<Report['comparables']>[number]

interface RowProps {
  comparable: Comparable
  out: boolean
  busy: boolean
  /** absent where comparables cannot be rejected: for other readers than the owner, and while the report is locked */
  onAct: ((comparable: Comparable) => void) | undefined
}

function ComparableRow({ comparable, out, busy, onAct }: RowProps) {
  const { kind, priceFen, adjFen, closeness, at } = comparable
  const what = `${comparableKindText[kind]} ${estimate(priceFen)}`
  const facts = [closenessText[closeness], kind === 'ASKING' && comparableKindText[kind], pastDayText(at, serverTime())]
  return (
    <View className={cx('rp-comp', out && 'rp-comp--out')}>
      <View className='rp-comp__head'>
        <View className='rp-comp__price'>{estimate(priceFen)}</View>
        <View className='rp-comp__side'>{facts.filter(Boolean).join(' · ')}</View>
      </View>
      <View className='rp-comp__alike'>{alikeText(comparable)}</View>
      <View className='rp-comp__foot'>
        <View className='rp-comp__adj'>{out ? copy.rejected : copy.adjusted(adjFen)}</View>
        {onAct ? (
          <Button
            kind='ghost'
            size='s'
            disabled={busy}
            label={out ? copy.restoreLabel(what) : copy.rejectLabel(what)}
            onClick={() => onAct(comparable)}
          >
            {out ? copy.restore : copy.reject}
          </Button>
        ) : null}
      </View>
    </View>
  )
}

/** number of cards shown before the list is expanded */
const SHOWN_CARDS = 3

/**
 * Similar sales in words; the owner may reject dissimilar ones. Rejected ones stay visible, so that they can be restored;
 * the report's price does not change.
 */
export function Comparables({ report }: { report: Report }) {
  const { rows, n, full, repriced, busy, error, reject, restore } = useReprice(report)
  const [all, setAll] = useState(false)
  const { gap, price, mine, status, confidence } = report
  if (!report.comparables?.length) return null
  const rejectable = mine !== false && status !== 'LOCKED'
  const shown = all ? rows : rows.filter(({ out }, i) => out || i < SHOWN_CARDS)
  const extra = busy ? copy.rejecting : confidence && copy.comparablesOf(confidence.sold)
  return (
    <Card title={copy.comparables} extra={extra}>
      {repriced ? (
        <View className='rp-again' {...a11y('status')}>
          {copy.repriced(n)}
          <View className='rp-again__price'>{estimate(repriced.price.predictFen)}</View>
          {estimateRange(repriced.price.lowFen, repriced.price.highFen)}
        </View>
      ) : null}
      {gap && !repriced ? <View className='rp-comp__alike'>{gapText(gap, price.predictFen)}</View> : null}
      {error ? <Notice tone='warn' text={error} /> : null}
      {shown.map(({ comparable, out }) => (
        <ComparableRow
          key={comparable.id}
          comparable={comparable}
          out={out}
          busy={busy || (full && !out)}
          onAct={rejectable ? (out ? restore : reject) : undefined}
        />
      ))}
      {rows.length > SHOWN_CARDS ? (
        <Disclosure open={all} onToggle={setAll} text={all ? copy.fewerComparables : copy.allComparables} />
      ) : null}
    </Card>
  )
}
