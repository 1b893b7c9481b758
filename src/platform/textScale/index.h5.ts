import type { HostTextScale, ShowTextScale } from './port'

export const showTextScale: ShowTextScale = (scale) =>
  document.documentElement.style.setProperty('--font-scale', String(scale))

/** A browser applies its own text size to the page. */
export const hostTextScale: HostTextScale = () => 1
