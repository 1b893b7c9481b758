import { View } from '@tarojs/components'
import type { GameItem } from '@/contract/types'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Pressable } from '@/ui/Pressable/Pressable'
import { Skeleton, SkeletonBlock } from '@/ui/Skeleton/Skeleton'
import { copy } from '../copy'
import './GameGrid.scss'

const PLACES = ['1', '2', '3', '4', '5', '6', '7', '8']

export function GameGrid({ games, onPick }: { games: readonly GameItem[]; onPick: (game: GameItem) => void }) {
  return (
    <View className='ev-grid'>
      {games.map((game) => (
        <Pressable key={game.gameId} className='ev-grid__one' onClick={() => onPick(game)}>
          <GameTile gameId={game.gameId} size='l' />
          <View className='ev-grid__name'>{game.name}</View>
          {game.status === 'ONLINE' ? null : <View className='ev-grid__off'>{copy.maintain}</View>}
        </Pressable>
      ))}
    </View>
  )
}

export function GameGridSkeleton() {
  return (
    <Skeleton>
      <View className='ev-grid'>
        {PLACES.map((place) => (
          <View key={place} className='ev-grid__one'>
            <SkeletonBlock kind='tile' />
            <SkeletonBlock w={60} />
          </View>
        ))}
      </View>
    </Skeleton>
  )
}
