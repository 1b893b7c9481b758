import { View } from '@tarojs/components'
import { tileColour } from '@/contract/format'
import { a11y } from '../a11y'
import './GameTile.scss'

interface Props {
  gameId: string
  /** 36, 44 and 56 design pixels */
  size?: 's' | 'm' | 'l'
}

/** Tile of a game: our own drawing on a colour, both derived from the game's id. No trademarked art. */
export const GameTile = ({ gameId, size = 'm' }: Props) => (
  <View className={`ui-tile ui-tile--${size} ui-tile--c${tileColour(gameId)}`} {...a11y(undefined, { hidden: true })} />
)
