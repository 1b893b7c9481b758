import type { OnLeaving } from './port'

/** Not needed: the host always hides the page first. */
export const onLeaving: OnLeaving = () => () => undefined
