import type { FollowKeyboard } from './port'

/** The host moves the page up itself. */
export const followKeyboard: FollowKeyboard = () => undefined
