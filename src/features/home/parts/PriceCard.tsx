import { View } from '@tarojs/components'
import { estimate } from '@/contract/format'
import type { ReportCard } from '@/contract/types'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Unbroken } from '@/ui/Unbroken/Unbroken'
import { rangePosition } from '../model'
import './PriceCard.scss'

export type CardPrice = Pick<ReportCard, 'predictFen' | 'lowFen' | 'highFen'> & { soldFen?: readonly number[] }

/** Range as a band, the reference price as a line, sold accounts as dots. */
function RangeBar({ price }: { price: CardPrice | undefined }) {
  const place = (fen: number) => ({ left: `${price ? rangePosition(fen, price) : 0}%` })
  return (
    <View className='home-sample__line'>
      <View className='home-sample__range' />
      {price ? <View className='home-sample__tick' style={place(price.predictFen)} /> : null}
      {price?.soldFen?.map((fen) => (
        <View key={fen} className='home-sample__dot' style={place(fen)} />
      ))}
    </View>
  )
}

interface Props {
  gameId?: string | undefined
  title: string
  /** beside the title: the place among several cards, or a time */
  aside?: string | undefined
  price?: CardPrice | undefined
  /** instead of a price */
  none?: string
  /** beside the price */
  rank?: string | undefined
  note: string
  href: string
  go: { text: string; href: string }
}

/** The price of an account: a sample, or the user's own. */
export function PriceCard({ gameId, title, aside, price, none, rank, note, href, go }: Props) {
  return (
    <View className='home-sample'>
      <Pressable className='home-sample__top' role='link' href={href}>
        <View className='home-sample__head'>
          {gameId ? <GameTile gameId={gameId} size='s' /> : null}
          <View className='home-sample__title'>{title}</View>
          {aside ? <View className='home-sample__at'>{aside}</View> : null}
        </View>
        <View className='home-sample__row'>
          <View className='home-sample__price'>{price ? estimate(price.predictFen) : none}</View>
          {rank ? <View className='home-sample__share'>{rank}</View> : null}
        </View>
        <RangeBar price={price} />
        <View className='home-sample__note'>
          <Unbroken text={note} />
        </View>
      </Pressable>
      <Pressable className='home-sample__go' role='link' href={go.href}>
        {go.text}
      </Pressable>
    </View>
  )
}
