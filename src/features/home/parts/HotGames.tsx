import { View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import type { GameItem } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { Card } from '@/ui/Card/Card'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { Bone, Skeleton } from '@/ui/Skeleton/Skeleton'
import { Tap } from '@/ui/Tap/Tap'
import { copy } from '../copy'
import { Failed } from './Failed'
import './HotGames.scss'

const PLACES = ['1', '2', '3', '4', '5', '6', '7', '8']

function open({ gameId, name, status }: GameItem) {
  if (status === 'ONLINE') void nav.to('evaluationFillInInfo', { gameId, mode: 'AI' })
  else dialog.toast(copy.maintainNote(name))
}

function Game({ game }: { game: GameItem }) {
  return (
    <Tap className='home-game' onClick={() => open(game)}>
      <GameTile gameId={game.gameId} name={game.name} size='l' />
      <View className='home-game__name'>{game.name}</View>
      {game.status === 'ONLINE' ? null : <View className='home-game__off'>{copy.maintain}</View>}
    </Tap>
  )
}

function Content({ load }: { load: Load<GameItem[]> }) {
  const { data, error, loading, reload } = load
  if (data) {
    if (data.length === 0) return <View className='home-none'>{copy.noGames}</View>
    return (
      <View className='home-games'>
        {data.map((game) => (
          <Game key={game.gameId} game={game} />
        ))}
      </View>
    )
  }
  if (error && !loading) return <Failed reason={error.msg} onRetry={() => void reload()} />
  return (
    <Skeleton>
      <View className='home-games'>
        {PLACES.map((place) => (
          <View key={place} className='home-game'>
            <Bone kind='tile' />
            <Bone w={60} />
          </View>
        ))}
      </View>
    </Skeleton>
  )
}

export function HotGames({ load, onMore }: { load: Load<GameItem[]>; onMore: () => void }) {
  return (
    <Card
      title={copy.hot}
      extra={
        <Tap className='home-more' onClick={onMore} role='link' label={`${copy.more}${copy.hot}`}>
          {copy.more}
          <Icon name='chevron-right' size='s' />
        </Tap>
      }
    >
      <Content load={load} />
    </Card>
  )
}
