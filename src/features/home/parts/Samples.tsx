import { ScrollView, View } from '@tarojs/components'
import { useState } from 'react'
import { estimate, percent } from '@/contract/format'
import type { ReportCard } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { a11y } from '@/ui/a11y'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { copy } from '../copy'
import { gamesUrl, rangePosition } from '../model'
import './Samples.scss'

/** Range as a band, the reference price as a line, sold accounts as dots. */
function RangeBar({ card }: { card: ReportCard | undefined }) {
  const at = (fen: number) => ({ left: `${card ? rangePosition(fen, card) : 0}%` })
  return (
    <View className='home-sample__line'>
      <View className='home-sample__range' />
      {card ? <View className='home-sample__tick' style={at(card.predictFen)} /> : null}
      {card?.soldFen?.map((fen) => (
        <View key={fen} className='home-sample__dot' style={at(fen)} />
      ))}
    </View>
  )
}

const fillUrl = (gameId: string) => buildUrl('evaluationFillInInfo', { gameId, mode: 'AI' })

/** Summary of a featured report; without one, a description of a report. */
function Sample({ card, at }: { card?: ReportCard; at?: string }) {
  const { gameId, gameName, title = copy.sampleTitle, predictFen, lowFen, highFen, percentile, synthetic } = card ?? {}
  const fill = gameId ? fillUrl(gameId) : gamesUrl('AI')
  return (
    <View className='home-sample'>
      <Pressable
        className='home-sample__top'
        role='link'
        href={gameId && !card?.example ? buildUrl('reportHighQuality', { gameId }) : fill}
      >
        <View className='home-sample__head'>
          {gameId ? <GameTile gameId={gameId} size='s' /> : null}
          <View className='home-sample__title'>{title}</View>
          {at ? <View className='home-sample__at'>{at}</View> : null}
        </View>
        <View className='home-sample__row'>
          <View className='home-sample__price'>{card ? estimate(predictFen) : copy.sampleNone}</View>
          {percentile === undefined ? null : (
            <View className='home-sample__rank'>
              <View className='home-sample__share'>{copy.sampleShare(percent(percentile, 0))}</View>
              {copy.sampleOf(gameName)}
            </View>
          )}
        </View>
        <RangeBar card={card} />
        <View className='home-sample__note'>
          <Unbroken text={card ? copy.sampleNote(estimate(lowFen), estimate(highFen), synthetic) : copy.subline} />
        </View>
      </Pressable>
      <Pressable className='home-sample__go' role='link' href={fill}>
        {copy.sampleGo(gameName)}
      </Pressable>
    </View>
  )
}

/**
 * Cards before the first swipe: each is 2 kB of a mini-program's first setData, and the second shows that there are
 * more.
 */
const INITIAL_CARDS = 2

interface Props {
  cards: readonly ReportCard[] | undefined
  /** renders every card without waiting for a swipe, once the content below the first screen is rendered */
  all: boolean
}

/** Anonymised reports, one of each game, swiped by hand. */
export function Samples({ cards = [], all }: Props) {
  const [swiped, setSwiped] = useState(false)
  const shown = all || swiped ? cards : cards.slice(0, INITIAL_CARDS)
  return (
    <ScrollView
      scrollX
      className='home-samples'
      onTouchStart={() => setSwiped(true)}
      {...a11y('region', { label: copy.samples })}
    >
      {cards.length === 0 ? <Sample /> : null}
      {shown.map((card, i) => (
        <Sample key={card.gameId} card={card} at={copy.sampleAt(i + 1, cards.length)} />
      ))}
    </ScrollView>
  )
}
