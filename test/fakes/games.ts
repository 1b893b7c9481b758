import type { FormOffer, GameItem } from '@/contract/types'

/** The form of 王者荣耀 as the server gives it. */
export const hokForm = require('../../server/fixtures/games/hok.json') as FormOffer

/** A game of the list. */
export const game = (gameId: string, name: string, status: GameItem['status'] = 'ONLINE'): GameItem => ({
  gameId,
  name,
  status,
  icon: '',
  letter: 'W',
  hot: true,
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
})
