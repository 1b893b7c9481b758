/**
 * Calls `then` once when it is time to draw what begins at the element `id`, below the first screen. The answer gives up.
 */
export type WhenBelow = (id: string, then: () => void) => () => void
