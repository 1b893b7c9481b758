import type { ReactNode } from 'react'
import type { GameItem } from '@/contract/types'

/** One part of the house in all its states; default export of every `*.gallery.tsx`. */
export interface Gallery {
  /** heading in the gallery, and what `?show=` asks for */
  title: string
  states: readonly { name: string; render: () => ReactNode }[]
}

/** A game of the list, for galleries and tests. */
export const sampleGame = (gameId: string, name: string, status: GameItem['status'] = 'ONLINE'): GameItem => ({
  gameId,
  name,
  status,
  icon: '',
  letter: 'W',
  hot: true,
  aiMode: 'MANUAL_FORM',
  modes: ['AI'],
})
