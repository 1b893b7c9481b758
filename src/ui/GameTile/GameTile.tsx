import { View } from '@tarojs/components'
import { a11y } from '../a11y'
import './GameTile.scss'

interface Props {
  gameId: string
  name: string
  /** 36, 44 and 56 design pixels */
  size?: 's' | 'm' | 'l'
}

const COLOURS = 10

/** The same game has the same colour everywhere; ours, not the game's. */
function tileColour(gameId: string): number {
  let h = 16
  for (const c of gameId) h = (h * 3 + c.charCodeAt(0)) % 9973
  return h % COLOURS
}

/** Our own neutral mark of a game: first character on its colour. No trademarked art. */
export function GameTile({ gameId, name, size = 'm' }: Props) {
  return (
    <View className={`ui-tile ui-tile--${size} ui-tile--c${tileColour(gameId)}`} {...a11y(undefined, { hidden: true })}>
      {[...name][0] ?? '？'}
    </View>
  )
}
