import type { Job } from './sweep'

/** Everything the server does unasked, in the order of a round. */
export const jobs: readonly Job[] = []
