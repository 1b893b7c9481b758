/**
 * Keeps the CSS variable `--keyboard` at the height in px by which the on-screen keyboard covers the page, so that what
 * sticks to the bottom edge stays above it. Called once.
 */
export type TrackKeyboardHeight = () => void
