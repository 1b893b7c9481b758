import type { ShowTextScale } from './port'

export const showTextScale: ShowTextScale = (scale) =>
  document.documentElement.style.setProperty('--font-scale', String(scale))
