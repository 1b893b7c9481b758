import { ScrollView, View } from '@tarojs/components'
import { type ReactNode, useState } from 'react'
import { FEATURED_REPORT_TOKEN } from '@/contract/constants'
import { estimateRange, percent } from '@/contract/format'
import type { ReportCard } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { a11y } from '@/ui/a11y'
import { copy } from '../copy'
import { quickUrl } from '../model'
import { PriceCard } from './PriceCard'
import './Hero.scss'

/** Leads to the whole report, and to the same for the reader's account. */
function Sample({ card, position }: { card: ReportCard; position: string }) {
  const { gameId, title, reportNo, lowFen, highFen, percentile, synthetic } = card
  return (
    <PriceCard
      {...{ gameId, title, aside: position, price: card }}
      rank={percentile === undefined ? undefined : copy.sampleShare(percent(percentile, 0))}
      note={copy.sampleNote(estimateRange(lowFen, highFen), synthetic)}
      href={buildUrl('reportWxIframe', { reportNo, shareToken: FEATURED_REPORT_TOKEN })}
      go={{ text: copy.sampleGo, href: quickUrl(gameId) }}
    />
  )
}

/** Cards before the first swipe: each is 2 kB of the first setData, and the second shows that there are more. */
const INITIAL_CARDS = 2

/** Anonymised reports, one of each game, swiped by hand. */
function Samples({ cards = [] }: { cards: readonly ReportCard[] | undefined }) {
  const [swiped, setSwiped] = useState(false)
  return (
    <ScrollView
      scrollX
      className='home-samples'
      onTouchStart={() => setSwiped(true)}
      {...a11y('region', { label: copy.samples })}
    >
      {cards.length === 0 ? (
        <PriceCard
          title={copy.sampleTitle}
          none={copy.sampleNone}
          note={copy.subline}
          href={quickUrl()}
          go={{ text: copy.sampleGo, href: quickUrl() }}
        />
      ) : null}
      {(swiped ? cards : cards.slice(0, INITIAL_CARDS)).map((card, i) => (
        <Sample key={card.gameId} card={card} position={copy.sampleAt(i + 1, cards.length)} />
      ))}
    </ScrollView>
  )
}

/** Headline, and the user's newest report or what one looks like. */
export function Hero({
  samples,
  own,
  hasOwn,
}: {
  samples: readonly ReportCard[] | undefined
  own?: ReactNode
  hasOwn: boolean
}) {
  return (
    <>
      <View className='home-hero'>
        <View className='home-hero__mark' />
        <View className='home-hero__head'>{copy.headline}</View>
      </View>
      {own}
      {hasOwn ? null : <Samples cards={samples} />}
    </>
  )
}
