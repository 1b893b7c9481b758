/// <reference lib="webworker" />
import { cleanupOutdatedCaches } from 'workbox-precaching/cleanupOutdatedCaches'
import { precacheAndRoute } from 'workbox-precaching/precacheAndRoute'
import { registerRoute } from 'workbox-routing/registerRoute'
import { CacheFirst } from 'workbox-strategies/CacheFirst'
import { NetworkFirst } from 'workbox-strategies/NetworkFirst'
import { networkFirst } from './ownerCache'

declare const self: ServiceWorkerGlobalScope
/** Inserted by scripts/worker.mjs: files to precache, and the name of this build. */
declare const MANIFEST: { url: string; revision: string | null }[]
declare const VERSION: string
/** origin of the build's files if it is another host, otherwise empty */
declare const ASSET_ORIGIN: string

/** s to wait for the network before the cached page is used */
const PATIENCE = 5
const FILES = `files-${VERSION}`
const HOME = `home-${VERSION}`

precacheAndRoute(MANIFEST, { directoryIndex: '', cleanURLs: false })
cleanupOutdatedCaches()

/** Whether a cache is of a build before this one: its files, and its pages, which need them. */
const isOld = (name: string) => /^(files|home)-/.test(name) && name !== FILES && name !== HOME

// a new worker waits for the next visit, so that the files of an open page do not change
self.addEventListener('activate', (e) => {
  const clean = async () => {
    for (const name of await caches.keys()) if (isOld(name)) await caches.delete(name)
    await self.clients.claim()
  }
  e.waitUntil(clean())
})

// file names with a content hash and pictures with a version are immutable
registerRoute(
  ({ url, sameOrigin }) =>
    (sameOrigin && /^\/(js|css|content)\//.test(url.pathname)) ||
    (url.origin === ASSET_ORIGIN && /\/(js|css)\/[^/]+$/.test(url.pathname)),
  new CacheFirst({ cacheName: FILES }),
)

/** The app's file alone, which serves every page. */
async function page({ request }: { request: Request }): Promise<Response> {
  try {
    // a service worker has no Taro, see ownerCache.ts
    return await fetch(request)
  } catch {
    return (await caches.match('/index.html', { ignoreSearch: true })) ?? Response.error()
  }
}

/** The last home page, whose HTML contains its data; `patience`: s to wait for the network, 0 until it fails. */
const lastHome = (patience: number) => new NetworkFirst({ cacheName: HOME, networkTimeoutSeconds: patience })
const [home, reloadedHome] = [lastHome(PATIENCE), lastHome(0)]
registerRoute(
  ({ request, url }) => request.mode === 'navigate' && /^\/(pages\/home\/index)?$/.test(url.pathname),
  (o) => {
    const request = new Request('/', { headers: { accept: 'text/html' } })
    // a reload, such as that of a page whose scripts are gone (index.html), must not get the same page again
    return (o.request.cache === 'default' ? home : reloadedHome).handle({ ...o, request }).catch(() => page(o))
  },
)
registerRoute(({ request, url }) => request.mode === 'navigate' && /^\/pages/.test(url.pathname), page)

for (const method of ['GET', 'POST'] as const)
  registerRoute(
    ({ url, sameOrigin }) => sameOrigin && /\/order\/(report\/get|list)$/.test(url.pathname),
    networkFirst,
    method,
  )
