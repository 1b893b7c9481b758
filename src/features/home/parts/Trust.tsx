import { View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import type { GameItem, HomeCounts } from '@/contract/types'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import { accuracyText, type Statistic } from '../model'
import { BlockError } from './BlockError'
import './Trust.scss'

/** Reasons to trust the price. */
export function Reasons() {
  return (
    <Card title={copy.why}>
      {copy.reasons.map(({ icon, title, note }) => (
        <View key={title} className='home-step'>
          <View className='home-step__icon'>
            <Icon name={icon} />
          </View>
          <View className='home-step__body'>
            <View className='home-step__title'>{title}</View>
            <View className='home-step__note'>{note}</View>
          </View>
        </View>
      ))}
    </Card>
  )
}

interface StatisticsProps {
  load: Load<HomeCounts>
  list: readonly Statistic[]
}

/** Usage figures; hidden when there are none. */
export function Statistics({ load: { data, error, loading, reload }, list }: StatisticsProps) {
  if (!data && error && !loading) return <BlockError reason={error.msg} onRetry={() => void reload()} />
  if (list.length === 0) return null
  return (
    <View className='home-figures'>
      {list.map(({ label, value }) => (
        <View key={label} className='home-figure'>
          <View className='home-figure__value'>{value}</View>
          <View className='home-figure__label'>{label}</View>
        </View>
      ))}
    </View>
  )
}

/** How far prices are off, in one sentence with a picture, and a link to the figures. */
export function Accuracy({ games }: { games: readonly GameItem[] | undefined }) {
  const text = accuracyText(games)
  if (text === undefined) return null
  return (
    <Pressable
      className='home-accuracy'
      role='link'
      label={`${text}，${copy.accuracyMore}`}
      onClick={() => void nav.to('article', { key: 'ACCURACY' })}
    >
      <View className='home-accuracy__picture' />
      <View className='home-accuracy__body'>
        <View className='home-accuracy__title'>{copy.accuracyTitle}</View>
        <View className='home-accuracy__text'>{text}</View>
      </View>
      <Icon name='chevron-right' size='s' />
    </Pressable>
  )
}
