/**
 * Calls `then` once when the content at element `id`, below the first screen, should be rendered. @returns cancels it
 */
export type OnBelowFoldVisible = (id: string, then: () => void) => () => void
