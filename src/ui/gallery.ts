import type { ReactNode } from 'react'
import type { GameItem } from '@/contract/types'

/** One component in all its states; default export of every `*.gallery.tsx`. */
export interface Gallery {
  /** heading in the gallery, and value of `?show=` */
  title: string
  states: readonly { name: string; render: () => ReactNode }[]
}

/** A sample game, for galleries and tests. */
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
