import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { OpenCtx } from '../context'
import type { Life } from '../life'
import { pathOf } from '../log'
import { originOf } from '../plugins/calls'
import { encodingOf } from '../plugins/compress'
import { homeData } from './data'
import { firstHome, firstStyle } from './home'

/** ms for which the same page is sent to everybody: nothing in it belongs to anyone */
const KEEP = 5000

interface Ready {
  plain: Buffer
  br: Buffer
  gzip: Buffer
}

const encode = (html: string): Ready => {
  const plain = Buffer.from(html)
  // the strongest that costs no more than a few ms
  return {
    plain,
    br: brotliCompressSync(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
    gzip: gzipSync(plain),
  }
}

/** JSON inside a script element: nothing in it can end the element. */
const inScript = (value: unknown) =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * index.html with the home page's styles inside (each under its address, so that the app does not load it again) and its
 * scripts named at the end: what is left is to put the content in.
 */
function prepare(root: string, index: string): { head: string; tail: string } {
  const list = path.join(root, 'home.json')
  const files: string[] = existsSync(list) ? JSON.parse(readFileSync(list, 'utf8')) : []
  const style = (href: string) => `<style data-href="${href}">${readFileSync(path.join(root, href), 'utf8')}</style>`
  const own = files.filter((file) => file.endsWith('.css')).map(style)
  const scripts: string[] = []
  const slim = index
    .replace(/<link href="(\/css\/[^"]+)" rel="stylesheet">/g, (_, href: string) => style(href))
    .replace(/<script defer="defer" src="[^"]+"><\/script>/g, (tag) => {
      scripts.push(tag)
      return ''
    })
    .replace('</title>', `</title><style>${firstStyle}</style>`)
    .replace('</head>', `${own.join('')}</head>`)
  // chunks may come before the entry: it finds them there and asks for nothing
  const chunks = files.filter((file) => file.endsWith('.js')).map((src) => `<script defer src="${src}"></script>`)
  const at = slim.indexOf('<div id="app">')
  const end = slim.indexOf('</body>')
  return {
    head: slim.slice(0, at),
    tail: `${slim.slice(at, end)}${[...chunks, ...scripts].join('')}${slim.slice(end)}`,
  }
}

/** Addresses of the home page. */
const isHome = (path: string) => path === '/' || path === '/pages/home/index'

/** Somebody of whom nothing is known: what all of them see. */
function strangerTo({ deps }: Life, req: FastifyRequest): OpenCtx | undefined {
  if (!deps) return undefined
  return {
    ...deps,
    ip: req.ip,
    platform: 'h5',
    device: '',
    os: 'other',
    userAgent: '',
    channel: '',
    origin: originOf(deps, req),
    log: req.log as OpenCtx['log'],
    viewer: async () => undefined,
  }
}

/**
 * The home page with its first screen and its data inside, made anew every few seconds; false for every other address,
 * and while there is no database to ask.
 */
export function createFirstPage(root: string, index: string, life: Life) {
  const { head, tail } = prepare(root, index)
  let kept: { until: number; page: Promise<Ready> } | undefined

  async function make(ctx: OpenCtx): Promise<Ready> {
    const { home, answers } = await homeData(ctx)
    const data = `<script type="application/json" id="first-data">${inScript(answers)}</script>`
    return encode(`${head}${firstHome(home).text}${data}${tail}`)
  }

  return async function send(req: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const ctx = isHome(pathOf(req.url)) ? strangerTo(life, req) : undefined
    if (!ctx) return false
    const now = Date.now()
    if (!kept || kept.until <= now) kept = { until: now + KEEP, page: make(ctx) }
    const page = await kept.page
    const encoding = encodingOf(req.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    reply
      .header('vary', 'accept-encoding')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(encoding ? page[encoding] : page.plain)
    return true
  }
}
