/**
 * Runs `work` when the page may be destroyed without a lifecycle event. @returns unsubscribes.
 * `work` must be synchronous.
 */
export type OnPageHide = (work: () => void) => () => void
