import type { Offline } from './port'

/** The host keeps the app itself; what it shows comes from the network. */
export const offline: Offline = { start: () => undefined, forget: () => undefined }
