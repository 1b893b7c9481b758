import { View } from '@tarojs/components'
import { stopPullDownRefresh, usePullDownRefresh } from '@tarojs/taro'
import { useState } from 'react'
import { api } from '@/api'
import { useLoad } from '@/api/useLoad'
import { count, percent } from '@/contract/format'
import { pastDayText } from '@/contract/timeText'
import type { MarketPage } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { a11y } from '@/ui/a11y'
import { Card } from '@/ui/Card/Card'
import { Cell } from '@/ui/Cell/Cell'
import { Chips } from '@/ui/Chip/Chips'
import { Empty } from '@/ui/Empty/Empty'
import { LoadBoundary } from '@/ui/LoadBoundary/LoadBoundary'
import { Notice } from '@/ui/Notice/Notice'
import { SkeletonForm } from '@/ui/Skeleton/SkeletonPages'
import { copy } from './copy'
import { type Bar, barsOf } from './market'

const words = copy.market
const signed = (change: number) => `${change > 0 ? '+' : '−'}${percent(Math.abs(change))}`

/** The index as bars, each with its value for screen readers; the last week also as text. */
function IndexChart({ bars }: { bars: readonly Bar[] }) {
  return (
    <View className='market-chart' {...a11y('img', { label: words.chart(bars) })}>
      {bars.map(({ at, height, low, high }) => (
        <View key={at} className='market-chart__week'>
          {height === undefined ? null : (
            <>
              <View className='market-chart__range' style={{ bottom: `${low}%`, height: `${high - low}%` }} />
              <View className='market-chart__value' style={{ bottom: `${height}%` }} />
            </>
          )}
        </View>
      ))}
    </View>
  )
}

/** First and last week of the chart, and its lowest and highest index between them. */
function ChartScale({ bars }: { bars: readonly Bar[] }) {
  const [first, last] = [bars[0], bars[bars.length - 1]]
  const values = bars.flatMap(({ index }) => index ?? [])
  if (!first || !last) return null
  return (
    <View className='market-scale' {...a11y(undefined, { hidden: true })}>
      <View>{pastDayText(first.at, serverTime())}</View>
      <View>{words.extremes(Math.min(...values), Math.max(...values))}</View>
      <View>{pastDayText(last.at, serverTime())}</View>
    </View>
  )
}

function Movers({ title, movers }: { title: string; movers: MarketPage['rises'] }) {
  if (movers.length === 0) return null
  return (
    <Card title={title} flush>
      {movers.map(({ label, change, n }) => (
        <Cell key={label} title={label} note={words.ofSales(n)} value={signed(change)} />
      ))}
    </Card>
  )
}

export function MarketContent({ page }: { page: MarketPage }) {
  const { weeks, rises, falls, sold30, syntheticShare, madeAt } = page
  const bars = barsOf(weeks)
  const last = bars.filter(({ height }) => height !== undefined).pop()
  if (!last) return <Empty art='report' text={words.nothing} />
  return (
    <>
      {syntheticShare > 0 ? <Notice tone='info' text={words.synthetic(syntheticShare)} /> : null}
      <Card title={words.index} extra={words.year}>
        <IndexChart bars={bars} />
        <ChartScale bars={bars} />
        <View className='market-note'>{words.explain}</View>
      </Card>
      <Card flush>
        <Cell title={words.now} value={words.value(last)} note={words.interval(last)} />
        <Cell title={words.sold30} value={count(sold30)} />
        {madeAt === undefined ? null : <Cell title={words.madeAt} value={pastDayText(madeAt, serverTime())} />}
      </Card>
      <Movers title={words.rises} movers={rises} />
      <Movers title={words.falls} movers={falls} />
      {rises.length + falls.length === 0 ? <View className='market-note'>{words.still}</View> : null}
    </>
  )
}

/** 行情: the price index of a game, what rose and fell, and how much was sold. */
export function MarketTab({ gameId }: { gameId: string | undefined }) {
  const [chosen, setChosen] = useState(gameId)
  const games = useLoad('market:games', (signal) => api.evaluation.hotGame({}, { quiet: true, signal }))
  const shown = chosen ?? games.data?.[0]?.gameId
  const market = useLoad(`market:${shown}`, async (signal) =>
    shown ? api.market.game({ gameId: shown }, { quiet: true, signal }) : undefined,
  )
  usePullDownRefresh(() => void Promise.all([games.reload(), market.reload()]).then(() => stopPullDownRefresh()))
  const skeleton = <SkeletonForm fields={4} />
  return (
    <LoadBoundary load={games} skeleton={skeleton}>
      {(list) => (
        <>
          <Chips
            page
            role='radio'
            label={words.games}
            options={list.map(({ gameId, name }) => ({ v: gameId, t: name }))}
            isOn={(tab) => tab === shown}
            onPick={setChosen}
          />
          {shown ? (
            <LoadBoundary load={market} skeleton={skeleton}>
              {(page) => <MarketContent page={page} />}
            </LoadBoundary>
          ) : (
            <Empty art='report' text={words.nothing} />
          )}
        </>
      )}
    </LoadBoundary>
  )
}
