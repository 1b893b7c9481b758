import { View } from '@tarojs/components'
import type { GameItem } from '@/contract/types'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Pressable } from '@/ui/Pressable/Pressable'
import { copy } from '../copy'
import './GameGrid.scss'

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
