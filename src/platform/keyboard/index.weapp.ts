import type { FollowKeyboard } from './port'

/** The host itself pushes the page up. */
export const followKeyboard: FollowKeyboard = () => undefined
