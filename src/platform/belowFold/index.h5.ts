import type { OnBelowFoldVisible } from './port'

/** delay that lets the first screen render first */
const LATER = 100

export const onBelowFoldVisible: OnBelowFoldVisible = (_id, then) => {
  const timer = setTimeout(then, LATER)
  return () => clearTimeout(timer)
}
