import type { ReactNode } from 'react'

/** One component in all its states; default export of every `*.gallery.tsx`. */
export interface Gallery {
  /** heading in the gallery, and value of `?show=` */
  title: string
  states: readonly { name: string; render: () => ReactNode }[]
}
