import type { ReactNode } from 'react'

/** The host's privacy guide (WeChat: `wx.onNeedPrivacyAuthorization`). */
export interface Privacy {
  /** Calls `listener` whenever the host blocks an API until the user has accepted its privacy guide. */
  onRequest(listener: () => void): void
  /** Reports the user's answer; no effect when no API is blocked. */
  answer(agreed: boolean): void
}

/** The host's transparent agree button, placed over its container; renders nothing where the host has none. */
export type PrivacyAgreeButton = (p: { onAgree: () => void }) => ReactNode
