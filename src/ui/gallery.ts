import type { ReactNode } from 'react'

/** One part of the house in all its states; default export of every `*.gallery.tsx`. */
export interface Gallery {
  /** heading in the gallery, and what `?show=` asks for */
  title: string
  states: readonly { name: string; render: () => ReactNode }[]
}
