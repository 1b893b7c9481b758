import type { WhenBelow } from './port'

/** ms: the first screen is drawn before the rest is begun */
const LATER = 100

export const whenBelow: WhenBelow = (_id, then) => {
  const timer = setTimeout(then, LATER)
  return () => clearTimeout(timer)
}
