import { View } from '@tarojs/components'
import type { Load } from '@/api/useLoad'
import type { GameItem } from '@/contract/types'
import { buildUrl } from '@/router/params'
import { Card } from '@/ui/Card/Card'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Icon } from '@/ui/Icon/Icon'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Skeleton } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import { gamesUrl } from '../model'
import { BlockError } from './BlockError'
import './HotGames.scss'

const PLACES = ['1', '2', '3', '4', '5', '6', '7', '8']

interface Props {
  load: Load<GameItem[]>
  /** opens the list of games; `find`: with the search focused */
  onChoose?: ((find?: '1') => void) | undefined
  /** an unavailable game was tapped */
  onDown?: ((name: string) => void) | undefined
}

function Game({ game, onDown }: { game: GameItem; onDown: Props['onDown'] }) {
  const { gameId, name } = game
  const act =
    game.status === 'ONLINE'
      ? { href: buildUrl('evaluationFillInInfo', { gameId, mode: 'AI' }) }
      : { onClick: () => onDown?.(name) }
  return (
    <Pressable className='home-game' {...act}>
      <GameTile gameId={gameId} size='l' />
      <View className='home-game__name'>{name}</View>
      {game.status === 'ONLINE' ? null : <View className='home-game__off'>{copy.maintain}</View>}
    </Pressable>
  )
}

function Content({ load, onDown }: Pick<Props, 'load' | 'onDown'>) {
  const { data, error, loading, reload } = load
  if (data) {
    if (data.length === 0) return <View className='home-none'>{copy.noGames}</View>
    return (
      <View className='home-games'>
        {data.map((game) => (
          <Game key={game.gameId} game={game} onDown={onDown} />
        ))}
      </View>
    )
  }
  if (error && !loading) return <BlockError reason={error.msg} onRetry={() => void reload()} />
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

export function HotGames({ load, onChoose, onDown }: Props) {
  return (
    <Card
      title={copy.hot}
      extra={
        <View className='home-head'>
          <Pressable className='ui-card__link' href={gamesUrl('AI')} onClick={onChoose && (() => onChoose('1'))}>
            <Icon name='search' size='s' />
            {copy.search}
          </Pressable>
          <Pressable
            className='ui-card__link'
            href={gamesUrl('AI')}
            onClick={onChoose && (() => onChoose())}
            label={`${copy.more}${copy.hot}`}
          >
            {copy.more}
            <Icon name='chevron-right' size='s' />
          </Pressable>
        </View>
      }
    >
      <Content load={load} onDown={onDown} />
    </Card>
  )
}
