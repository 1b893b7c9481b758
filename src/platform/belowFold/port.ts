/**
 * Calls `then` once when the content at element `id`, below the first screen, should be rendered. @returns cancels it
 */
export type OnBelowFoldVisible = (id: string, then: () => void) => () => void

/** Calls `then` once when element `id` is less than half a screen below what is visible. @returns cancels it */
export type OnNearlyVisible = OnBelowFoldVisible
