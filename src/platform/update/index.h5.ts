import type { Updates } from './port'

/** Every visit loads the newest build; a deployment during a visit is detected when a chunk is missing. */
export const updates: Updates = {
  get: (url) => (url ? location.assign(url) : location.reload()),
  onReady: () => undefined,
}
