import type { Offline } from './port'

/** No-op: the host caches the app, data are always requested. */
export const offline: Offline = { start: () => undefined, clearOwnerCaches: () => undefined }
