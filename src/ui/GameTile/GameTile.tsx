import { View } from '@tarojs/components'
import { tileColour } from '@/contract/format'
import { a11y } from '../a11y'
import './GameTile.scss'

interface Props {
  gameId: string
  name: string
  /** 36, 44 and 56 design pixels */
  size?: 's' | 'm' | 'l'
}

/** Our own neutral tile of a game: its first character on a colour. No trademarked art. */
export function GameTile({ gameId, name, size = 'm' }: Props) {
  return (
    <View className={`ui-tile ui-tile--${size} ui-tile--c${tileColour(gameId)}`} {...a11y(undefined, { hidden: true })}>
      {[...name][0] ?? '？'}
    </View>
  )
}
