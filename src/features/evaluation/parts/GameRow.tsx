import { View } from '@tarojs/components'
import type { GameItem } from '@/contract/types'
import { Cell } from '@/ui/Cell/Cell'
import { GameTile } from '@/ui/GameTile/GameTile'
import { Tag } from '@/ui/Tag/Tag'
import { copy } from '../copy'

interface Props {
  game: GameItem
  onPick: (game: GameItem) => void
}

/** A game with its available modes. */
export function GameRow({ game, onPick }: Props) {
  return (
    <Cell
      lead={<GameTile gameId={game.gameId} />}
      title={game.name}
      value={
        <View className='choose-tags'>
          {game.status === 'ONLINE' ? (
            game.modes.map((mode) => (
              <Tag key={mode} tone={mode === 'AI' ? 'blue' : 'pink'}>
                {mode === 'AI' ? copy.badgeAi : copy.badgeManual}
              </Tag>
            ))
          ) : (
            <Tag tone='warn' icon='clock'>
              {copy.maintain}
            </Tag>
          )}
        </View>
      }
      onClick={() => onPick(game)}
    />
  )
}
