import type { GameItem } from '@/contract/types'

/** A game that is online and valued by form. */
export const sampleGame = (gameId: string, name: string, over: Partial<GameItem> = {}): GameItem => ({
  gameId,
  name,
  status: 'ONLINE',
  icon: '',
  letter: 'W',
  hot: true,
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
  ...over,
})
