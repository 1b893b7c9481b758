/**
 * Runs `work` when the page may be gone the next moment without the page life saying so. Answers with how to stop it.
 * `work` must be done when it returns.
 */
export type OnLeaving = (work: () => void) => () => void
