import type { OnLeaving } from './port'

/** A hidden tab hides its page, which Taro tells; older Safaris close a tab with `pagehide` alone. */
export const onLeaving: OnLeaving = (work) => {
  window.addEventListener('pagehide', work)
  return () => window.removeEventListener('pagehide', work)
}
