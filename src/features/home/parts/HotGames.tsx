import { View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import type { GameItem, OpenPayStatus } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { Card } from '@/ui/Card/Card'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { Notice } from '@/ui/Notice/Notice'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Skeleton } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import { manualEntry, quickUrl } from '../model'
import './HotGames.scss'

const PLACES = ['1', '2', '3', '4', '5', '6', '7', '8']

function Content({ load: { data, error, loading, reload } }: { load: Load<GameItem[]> }) {
  if (data?.length === 0) return <View className='home-none'>{copy.noGames}</View>
  if (data)
    return (
      <View className='home-games'>
        {data.map(({ gameId, name, status }) => (
          <Pressable key={gameId} className='home-game' href={quickUrl(gameId)}>
            <GameTile gameId={gameId} size='l' />
            <View className='home-game__name'>{name}</View>
            {status === 'ONLINE' ? null : <View className='home-game__off'>{copy.maintain}</View>}
          </Pressable>
        ))}
      </View>
    )
  if (error && !loading)
    return <Notice tone='warn' text={error.msg} action={{ text: copy.retry, onClick: () => void reload() }} />
  return (
    <Skeleton>
      <View className='home-games'>
        {PLACES.map((place) => (
          <View key={place} className='home-game home-game--wait' />
        ))}
      </View>
    </Skeleton>
  )
}

/** The popular games, each with its quick estimate, and the human service, which says when it is not available. */
export function HotGames({ load, status }: { load: Load<GameItem[]>; status: OpenPayStatus | undefined }) {
  return (
    <Card title={copy.hot}>
      <Content load={load} />
      <Pressable className='home-human' href={buildUrl('evaluationChooseGame', { mode: 'MANUAL' })}>
        <Icon name='expert' />
        <View className='home-human__title'>{copy.manual}</View>
        <View className='home-human__note'>{manualEntry(status)}</View>
        <Icon name='chevron-right' size='s' />
      </Pressable>
    </Card>
  )
}
