import type { TrackKeyboardHeight } from './port'

/** The host moves the page up itself. */
export const trackKeyboardHeight: TrackKeyboardHeight = () => undefined
