/// <reference lib="webworker" />
import { cleanupOutdatedCaches } from 'workbox-precaching/cleanupOutdatedCaches'
import { precacheAndRoute } from 'workbox-precaching/precacheAndRoute'
import { registerRoute } from 'workbox-routing/registerRoute'
import { CacheFirst } from 'workbox-strategies/CacheFirst'
import { NetworkFirst } from 'workbox-strategies/NetworkFirst'
import { networkFirst } from './ownerCache'

declare const self: ServiceWorkerGlobalScope
/** Put in by scripts/worker.mjs: what is kept from the first visit on, and the name of this build. */
declare const MANIFEST: { url: string; revision: string | null }[]
declare const VERSION: string
/** where the build's files come from, when that is another host; else empty */
declare const ASSET_ORIGIN: string

/** s after which the network is waited for no longer, where there is an older page */
const PATIENCE = 5
const FILES = `files-${VERSION}`
const HOME = 'home-1'

precacheAndRoute(MANIFEST, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()

/** Files of builds before this one. */
const isOld = (name: string) => name.startsWith('files-') && name !== FILES

// a new version waits for the next visit: it never changes the files under a page that is open
self.addEventListener('activate', (e) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (isOld(name)) await caches.delete(name)
    await self.clients.claim()
  }
  e.waitUntil(clean())
})

// names with a hash, and pictures with their version: never anything else under the same name
registerRoute(
  ({ url, sameOrigin }) =>
    (sameOrigin && /^\/(js|css|content)\//.test(url.pathname)) ||
    (url.origin === ASSET_ORIGIN && /\/(js|css)\/[^/]+$/.test(url.pathname)),
  new CacheFirst({ cacheName: FILES }),
)

// the home page as it was last; its content stands in it
const home = new NetworkFirst({ cacheName: HOME, networkTimeoutSeconds: PATIENCE })
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && /^\/(pages\/home\/index)?$/.test(url.pathname),
  (o) => home.handle({ ...o, request: new Request('/', { headers: { accept: 'text/html' } }) }),
)

/** Every other page of the app is the same file. */
async function page({ request }: { request: Request }): Promise<Response> {
  try {
    // as in ownerCache.ts
    return await fetch(request)
  } catch {
    return (await caches.match('/index.html', { ignoreSearch: true })) ?? Response.error()
  }
}
registerRoute(({ request, url }) => request.mode === 'navigate' && /^\/pages/.test(url.pathname), page)

for (const method of ['GET', 'POST'] as const)
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && /\/order\/(report\/get|list)$/.test(url.pathname),
    networkFirst,
    method,
  )
