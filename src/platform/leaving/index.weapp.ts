import type { OnLeaving } from './port'

/** The host hides the page first, always. */
export const onLeaving: OnLeaving = () => () => undefined
