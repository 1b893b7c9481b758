import type { Offline } from './port'

/** delay after which the visit's own requests are done */
const REST = 3000

/** Prefix of the names of the reader's caches (src/sw/ownerCache.ts). */
const OWN = 'own-'

const register = () =>
  // the browser checks for a new worker at every visit, including the one that removes the old (server, OFFLINE=0)
  void navigator.serviceWorker
    .register('/sw.js', { updateViaCache: 'none' })
    .catch((e: unknown) => console.warn('no reading offline', e))

async function clearOwnerCache() {
  for (const name of await caches.keys()) if (name.startsWith(OWN)) await caches.delete(name)
}

export const offline: Offline = {
  start() {
    if (PRODUCTION && 'serviceWorker' in navigator) setTimeout(register, REST)
  },
  clearOwnerCaches() {
    // undefined without https
    if ('caches' in window) void clearOwnerCache()
  },
}
