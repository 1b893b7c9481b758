import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { EMBED_PAGE } from '@/contract/pages'
import { depsOf, type Lifecycle } from '../../core/lifecycle'
import { pathOf } from '../../core/log'
import { networkHashesOf } from '../../domains/shared/network'
import { pageLink } from '../../domains/shared/page-link'
import { createSsrPages } from '../../ssr/page'
import { crossOrigin } from '../plugins/cross-origin'

/** File names with a content hash are immutable. */
const hashed = /\.[0-9a-f]{8,}\.(js|css|woff2|png|jpg|jpeg|svg|webp|gif)(\.br|\.gz)?$/
/** Build output for the server only: the renderer of first screens and its file lists. */
const forServer = /^\/ssr\.(cjs|json)/
/** Security headers that apply to documents only. */
const forDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-frame-options',
]
/** Headers for revalidation and ranges, which immutable scripts and styles do not need. */
const forRevalidation = ['etag', 'last-modified', 'accept-ranges']
/** Paths that are never a page of the app: the API and folders of files. */
const notPages =
  /^\/(app-api|partner|sandbox|wechat|desk|docs|uploads|pictures|share|collector|weapp|healthz|readyz|v|js|css|static|chunk|content)(\/|$)/

export interface Pages {
  /** CSP sources for the inline scripts of index.html */
  scriptHashes: string[]
  /** origin of the assets, when it is another one (`ASSET_BASE` at build time) */
  assetOrigin: string | undefined
  register(app: FastifyInstance): Promise<void>
  /** Serves index.html for a navigation to a page of the app; false for other requests. */
  answer(req: FastifyRequest, reply: FastifyReply): boolean
}

/** CSP hashes of the inline scripts, so that the policy needs no `unsafe-inline`. */
function inlineScriptHashes(html: string): string[] {
  return Array.from(html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g), ([, code = '']) => {
    return `'sha256-${createHash('sha256').update(code).digest('base64')}'`
  })
}

/** Origin of the scripts in index.html, when it is not our own. */
function assetOriginOf(html: string): string | undefined {
  const [, address] = /<script[^>]*\ssrc="(https?:[^"]+)"/.exec(html) ?? []
  return address && URL.canParse(address) ? new URL(address).origin : undefined
}

/** A navigation of the browser (typed, refreshed or followed): in history mode all get the same index.html. */
export function isNavigation(req: FastifyRequest, url = req.url): boolean {
  const path = pathOf(url)
  if ((req.method !== 'GET' && req.method !== 'HEAD') || notPages.test(path)) return false
  // the app requests it too, to detect a new build
  if (path === '/') return true
  const file = path.slice(path.lastIndexOf('/') + 1)
  // HEAD requests (link checkers, messengers) accept any type
  return !file.includes('.') && (req.method === 'HEAD' || String(req.headers.accept ?? '').includes('text/html'))
}

/** Without the doubled slashes and the `.html` of an address that was put together from parts. */
const cleanUrl = (url: string) =>
  url.replace(/^[^?]+/, (path) => path.replace(/[/\\]{2,}/g, '/').replace(/^(\/pages.*)\.html$/, '$1'))

/** Replaces an installed service worker: deletes its caches and unregisters itself (`OFFLINE=0`). */
const noWorker = `self.addEventListener('install',()=>self.skipWaiting())
self.addEventListener('activate',e=>e.waitUntil((async()=>{await self.clients.claim()
for(const name of await caches.keys())await caches.delete(name)
await self.registration.unregister()})()))`

/** Serves the built h5 app of a folder; without an index.html it serves nothing (development of the server alone). */
export function createPages(root: string, lifecycle: Lifecycle, offline: boolean): Pages {
  const index = path.join(root, 'index.html')
  if (!existsSync(index))
    return { scriptHashes: [], assetOrigin: undefined, register: async () => undefined, answer: () => false }
  const text = readFileSync(index, 'utf8')
  const first = createSsrPages(root, text, lifecycle)
  /** A report's page is rendered for each reader; above the limit the plain app is sent, which reports the error itself. */
  const isWithinLimit = async ({ ip }: FastifyRequest) => {
    const { limits, encryption } = depsOf(lifecycle)
    return limits.take('pages', networkHashesOf({ encryption, ip })[0])
  }
  // returns nothing: for a reply returned through promises Fastify adds its listeners once per promise
  const send = async (req: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const isReport = pathOf(req.url) === pageLink(EMBED_PAGE)
    // keeps the token in the address out of the Referer
    if (isReport) reply.header('referrer-policy', 'no-referrer')
    // the header makes browsers start a second process before the first paint (docs/decisions/no-opener-policy.md)
    reply.removeHeader('cross-origin-opener-policy')
    const isDrawn = (!isReport || (await isWithinLimit(req))) && (await first.send(req, reply))
    if (!isDrawn) reply.sendFile('index.html')
  }
  return {
    assetOrigin: assetOriginOf(text),
    scriptHashes: inlineScriptHashes(`${text}${first.scripts.map((code) => `<script>${code}</script>`).join('')}`),
    async register(app) {
      // the app finds its pages by the address, so that it has to be the page's own
      app.addHook('onRequest', (req, reply, done) => {
        const url = cleanUrl(req.url)
        if (url !== req.url && isNavigation(req, url)) reply.redirect(url)
        else done()
      })
      if (!offline)
        app.get('/sw.js', (_req, reply) =>
          reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(noWorker),
        )
      await app.register(fastifyStatic, {
        root,
        // directories have no index: navigations are answered below
        index: false,
        allowedPath: (path) => !path.endsWith('/') && !forServer.test(path),
        preCompressed: true,
        cacheControl: false,
        setHeaders: (reply, file) => {
          const keep = hashed.test(file)
          reply.header('cache-control', keep ? 'public, max-age=31536000, immutable' : 'no-cache')
          // a CDN passes these headers on, so that pages of our origin may load the files from there
          if (keep) {
            reply.header(...crossOrigin)
            reply.header('access-control-allow-origin', '*')
          }
          // these headers apply to documents only, and are larger than many of the files
          if (keep && /\.(js|css)(\.br|\.gz)?$/.test(file))
            for (const name of [...forDocuments, ...forRevalidation]) reply.removeHeader(name)
        },
      })
    },
    answer(req, reply) {
      if (!isNavigation(req)) return false
      send(req, reply).catch((err: unknown) => {
        req.log.error({ err }, 'page failed')
        reply.sendFile('index.html')
      })
      return true
    },
  }
}
