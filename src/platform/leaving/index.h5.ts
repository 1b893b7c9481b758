import type { OnLeaving } from './port'

/** Taro reports hidden tabs; older Safari versions close a tab with only a `pagehide` event. */
export const onLeaving: OnLeaving = (work) => {
  window.addEventListener('pagehide', work)
  return () => window.removeEventListener('pagehide', work)
}
