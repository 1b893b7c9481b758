import type { ShowTextScale } from './port'

/** Messages are the host's own, in the size the phone is set to. */
export const showTextScale: ShowTextScale = () => undefined
