/**
 * Gesture rules of the whole app (spec §5): multi-touch and double-tap zoom are blocked, a second tap on the same
 * thing within 300 ms is suppressed. Two different buttons and typing are never slowed down. Called once.
 */
export type InstallGestures = () => void
