import type { Updates } from './port'

/** Every visit loads the newest build; one that is replaced while a page is open is noticed when its code is missing. */
export const updates: Updates = {
  get: (url) => (url ? location.assign(url) : location.reload()),
  follow: () => undefined,
}
