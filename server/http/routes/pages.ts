import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Lifecycle } from '../../lifecycle'
import { pathOf } from '../../log'
import { createFirstPages } from '../../ssr/page'
import { crossOrigin } from '../plugins/cross-origin'

/** Names with a hash of the content never change what they mean. */
const hashed = /\.[0-9a-f]{8,}\.(js|css|woff2|png|jpg|jpeg|svg|webp|gif)(\.br|\.gz)?$/
/** What the build makes for the server: its program of first screens and their lists of files. */
const forServer = /^\/first\.(cjs|json)/
/** Security headers that say something about documents only. */
const forDocuments = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]
/** What is never a page: the api, and folders of files. */
const notPages =
  /^\/(app-api|sandbox|wechat|desk|docs|uploads|pictures|share|collector|weapp|healthz|readyz|v|js|css|static|chunk|content)(\/|$)/

export interface Pages {
  /** CSP sources for the inline scripts of index.html */
  scriptHashes: string[]
  /** the host its files come from, where that is another (`ASSET_BASE` at build time) */
  assetOrigin: string | undefined
  register(app: FastifyInstance): Promise<void>
  /**
   * Answers a navigation to a page of the app with index.html; false for everything else. `alone`: without what the
   * server draws of it.
   */
  answer(req: FastifyRequest, reply: FastifyReply, how?: { alone: boolean }): boolean
}

/** SHA-256 sources of the inline scripts: allowed one by one, so the policy needs no `unsafe-inline`. */
function inlineScriptHashes(html: string): string[] {
  return Array.from(html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g), ([, code = '']) => {
    return `'sha256-${createHash('sha256').update(code).digest('base64')}'`
  })
}

/** Where index.html takes its scripts from, when that is not where it comes from itself. */
function assetOriginOf(html: string): string | undefined {
  const [, address] = /<script[^>]*\ssrc="(https?:[^"]+)"/.exec(html) ?? []
  return address && URL.canParse(address) ? new URL(address).origin : undefined
}

/** Somebody typed, refreshed or followed an address: history mode wants the same index.html for all of them. */
function isNavigation(req: FastifyRequest): boolean {
  const path = pathOf(req.url)
  if ((req.method !== 'GET' && req.method !== 'HEAD') || notPages.test(path)) return false
  // also asked for by the app itself, to learn of a new build
  if (path === '/') return true
  const file = path.slice(path.lastIndexOf('/') + 1)
  // who only asks whether the page is there (link checkers, messengers) takes anything
  return !file.includes('.') && (req.method === 'HEAD' || String(req.headers.accept ?? '').includes('text/html'))
}

/** A page others may show inside theirs, and which others. */
export interface Embedding {
  path: string
  origins: readonly string[]
}

function allowFrame(reply: FastifyReply, origins: readonly string[]) {
  const policy = String(reply.getHeader('content-security-policy'))
  const ancestors = ["'self'", ...origins].join(' ')
  reply.header('content-security-policy', policy.replace(/frame-ancestors [^;]*/, `frame-ancestors ${ancestors}`))
  // knows no list of sites
  if (origins.length > 0) reply.removeHeader('x-frame-options')
  // the token in the address goes to nobody
  reply.header('referrer-policy', 'no-referrer')
}

/** The way out of reading offline: the worker that takes this one's place removes what was kept, and itself. */
const noWorker = `self.addEventListener('install',()=>self.skipWaiting())
self.addEventListener('activate',e=>e.waitUntil((async()=>{await self.clients.claim()
for(const name of await caches.keys())await caches.delete(name)
await self.registration.unregister()})()))`

interface PagesOptions {
  /** whether the app's service worker is handed out */
  offline: boolean
  embedding: Embedding
  lifecycle: Lifecycle
}

/** The built h5 app of a folder; a folder without index.html serves nothing (development of the server alone). */
export function createPages(root: string, { offline, embedding, lifecycle }: PagesOptions): Pages {
  const index = path.join(root, 'index.html')
  if (!existsSync(index))
    return { scriptHashes: [], assetOrigin: undefined, register: async () => undefined, answer: () => false }
  const text = readFileSync(index, 'utf8')
  const first = createFirstPages(root, text, lifecycle)
  // answers nothing itself: a reply handed on by a promise is waited for, with listeners, once more for each of them
  const send = async (req: FastifyRequest, reply: FastifyReply, alone: boolean): Promise<void> => {
    if (pathOf(req.url) === embedding.path) allowFrame(reply, embedding.origins)
    if (alone || !(await first.send(req, reply))) reply.sendFile('index.html')
  }
  return {
    assetOrigin: assetOriginOf(text),
    scriptHashes: inlineScriptHashes(`${text}${first.scripts.map((code) => `<script>${code}</script>`).join('')}`),
    async register(app) {
      if (!offline)
        app.get('/sw.js', (_req, reply) =>
          reply.header('cache-control', 'no-cache').type('text/javascript; charset=utf-8').send(noWorker),
        )
      await app.register(fastifyStatic, {
        root,
        // folders are no files: every navigation is answered below
        index: false,
        allowedPath: (path) => !path.endsWith('/') && !forServer.test(path),
        preCompressed: true,
        cacheControl: false,
        setHeaders: (reply, file) => {
          const keep = hashed.test(file)
          reply.header('cache-control', keep ? 'public, max-age=31536000, immutable' : 'no-cache')
          // a host that delivers them for us hands these on: pages of our origin may load them from there
          if (keep) {
            reply.header(...crossOrigin)
            reply.header('access-control-allow-origin', '*')
          }
          // they bind documents only, and weigh more than many a file
          if (keep && /\.(js|css)(\.br|\.gz)?$/.test(file)) for (const name of forDocuments) reply.removeHeader(name)
        },
      })
    },
    answer(req, reply, { alone } = { alone: false }) {
      if (!isNavigation(req)) return false
      send(req, reply, alone).catch((err: unknown) => {
        req.log.error({ err }, 'page failed')
        reply.sendFile('index.html')
      })
      return true
    },
  }
}
