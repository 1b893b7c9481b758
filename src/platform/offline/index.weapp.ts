import type { Offline } from './port'

/** No-op: the host caches the app, data always comes from the network. */
export const offline: Offline = { start: () => undefined, clearOwnerCaches: () => undefined }
