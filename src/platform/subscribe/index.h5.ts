import type { Subscribe } from './port'

/** A browser has no messages of the host. */
export const subscribe: Subscribe = { available: () => false, request: async () => false }
