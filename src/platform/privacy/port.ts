import type { ReactNode } from 'react'

/** The host's own question about its privacy guide. */
export interface Privacy {
  /** Tells each time the host holds something back until its guide was agreed to. */
  follow(asked: () => void): void
  /** What the user said; nothing happens when nothing is held back. */
  answer(agreed: boolean): void
}

/** The host's agree button, invisible over whatever it stands in; nothing where the host has none. */
export type PrivacyAgreeButton = (p: { onAgree: () => void }) => ReactNode
