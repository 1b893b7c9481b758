import { View } from '@tarojs/components'
import { useState } from 'react'
import { estimate, signedYuan } from '@/contract/format'
import { changeTypeText } from '@/contract/labels'
import { chinaDateTime } from '@/contract/time'
import { momentInPastText, pastDayText } from '@/contract/timeText'
import type { Report } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { cx } from '@/ui/cx'
import { Disclosure } from '@/ui/Disclosure/Disclosure'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'
import { placeTrend, type TrendPoint, trendMask } from '../trend'
import './PriceTrend.scss'

const mask = (image: string) => ({ WebkitMaskImage: image, maskImage: image })

interface LineProps {
  entries: readonly TrendPoint[]
  when: (at: number, now: number) => string
  /** a dot for the last price only */
  plain?: boolean
}

/**
 * Prices of an account as a line with a dot for each, the highest and the lowest on the scale, the dates of its ends below;
 * the same as text for screen readers.
 */
function TrendLine({ entries, when, plain }: LineProps) {
  const [first, last] = [entries[0], entries[entries.length - 1]]
  if (!first || !last) return null
  const now = serverTime()
  const placed = placeTrend(entries)
  const label = entries.map(({ at, predictFen }) => copy.historyBar(when(at, now), estimate(predictFen))).join('；')
  const prices = entries.map(({ predictFen }) => predictFen)
  // the highest and the lowest with their places; one if they are equal
  const ends = [...new Set([Math.max(...prices), Math.min(...prices)])]
  const scale = ends.map((fen) => ({ fen, y: placed[prices.indexOf(fen)]?.y ?? 0 }))
  return (
    <>
      <View className='rp-trend'>
        <View
          className={cx('rp-trend__scale', scale.length === 1 && 'rp-trend__scale--flat')}
          {...a11y(undefined, { hidden: true })}
        >
          {scale.map(({ fen }) => (
            <View key={fen}>{estimate(fen)}</View>
          ))}
        </View>
        <View className='rp-trend__plot' {...a11y('img', { label })}>
          {scale.map(({ fen, y }) => (
            <View key={fen} className='rp-trend__level' style={{ top: `${y}%` }} />
          ))}
          <View className='rp-trend__area' style={mask(trendMask(placed, 'area'))} />
          <View className='rp-trend__line' style={mask(trendMask(placed, 'line'))} />
          {placed.map(({ x, y }, i) => {
            const isLast = i === placed.length - 1
            return plain && !isLast ? null : (
              <View
                key={x}
                className={cx('rp-trend__dot', isLast && 'rp-trend__dot--now')}
                style={{ left: `${x}%`, top: `${y}%` }}
              />
            )
          })}
        </View>
      </View>
      <View className='rp-trend__ends'>
        <View>{when(first.at, now)}</View>
        <View>{when(last.at, now)}</View>
      </View>
    </>
  )
}

/** points of the market's line that make three months */
const QUARTER = 3

/** The market's trend for similar accounts over a year, where the account has no earlier report. */
function MarketTrend({ points }: { points: NonNullable<Report['trend']> }) {
  const entries = points.map(({ at, fen }) => ({ at, predictFen: fen }))
  const end = entries.length - 1
  const [now, then] = [entries[end], entries[end - QUARTER]]
  return (
    <Card title={copy.trend} extra={now && then ? copy.sinceQuarter(now.predictFen / then.predictFen - 1) : undefined}>
      <TrendLine entries={entries} when={pastDayText} plain />
    </Card>
  )
}

/** Earlier prices of the account as a line up to today; a tap shows why they changed. */
export function PriceTrend({ report }: { report: Report }) {
  const { history = [], price, createdAt, changed, trend } = report
  const [open, setOpen] = useState(false)
  if (history.length === 0 && !changed) return trend ? <MarketTrend points={trend} /> : null
  const before =
    history.length > 0 ? history : changed ? [{ at: changed.at, predictFen: changed.beforeFen, reason: '' }] : []
  const entries = [...before, { at: createdAt, predictFen: price.predictFen, reason: copy.historyNow }].sort(
    (a, b) => a.at - b.at,
  )
  // two reports of one day are distinguished by the hour
  const days = new Set(entries.map(({ at }) => chinaDateTime(at).day))
  const when = days.size < entries.length ? momentInPastText : pastDayText
  const total = changed && price.predictFen - changed.beforeFen
  return (
    <Card title={copy.history} extra={total === undefined ? undefined : copy.sinceBefore(total)}>
      <TrendLine entries={entries} when={when} />
      {changed && changed.lines.length > 0 ? (
        <>
          {open
            ? // they add up to the difference
              changed.lines.map(({ type, label, amountFen }) => (
                <View key={`${type}${label}`} className='rp-move'>
                  <Tag>{changeTypeText[type]}</Tag>
                  <View className='rp-move__name'>{label}</View>
                  <View className='rp-move__amount'>{signedYuan(amountFen)}</View>
                </View>
              ))
            : null}
          <Disclosure open={open} onToggle={setOpen} text={copy.changed} />
        </>
      ) : null}
    </Card>
  )
}
