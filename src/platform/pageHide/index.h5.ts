import type { OnPageHide } from './port'

/** Taro reports hidden tabs; older Safari versions close a tab with only a `pagehide` event. */
export const onPageHide: OnPageHide = (work) => {
  window.addEventListener('pagehide', work)
  return () => window.removeEventListener('pagehide', work)
}
