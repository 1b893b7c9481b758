import type { WhenBelow } from './port'

/** delay that lets the first screen render first */
const LATER = 100

export const onBelowFoldVisible: WhenBelow = (_id, then) => {
  const timer = setTimeout(then, LATER)
  return () => clearTimeout(timer)
}
