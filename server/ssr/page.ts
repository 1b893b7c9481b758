import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FirstView } from '@/contract/first'
import { cacheFor } from '../cache-for'
import type { OpenCtx } from '../context'
import { html } from '../http/html'
import { encodingOf, pack } from '../http/plugins/compress'
import type { Lifecycle } from '../lifecycle'
import { pathOf } from '../log'
import { anonymousContext } from './anonymous-context'
import { type First, type FirstPage, firstPages, type Preview } from './screens'

/** Brotli quality of shared responses and of those made for one request. */
const QUALITY = { many: 9, one: 4 } as const

/** JSON inside a script element, escaped so that it cannot end the element. */
const inScript = (value: unknown) =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Inserts the preview into the head, with all values escaped. */
function withPreview(index: string, { title, desc, image, url }: Preview): string {
  const head = html`<meta name="description" content="${desc}"><meta property="og:type" content="article">
<meta property="og:title" content="${title}"><meta property="og:description" content="${desc}">
<meta property="og:image" content="${image}"><meta property="og:url" content="${url}">`
  // a replacer function, because `$` in a replacement string is special
  return index
    .replace(/<title>[^<]*<\/title>/, () => html`<title>${title}</title>`.text)
    .replace(/<meta name="description"[^>]*>/, '')
    .replace('</head>', () => `${head.text}</head>`)
}

/** ms the app's code is delayed for the pictures of the first screen */
const PICTURES_WITHIN = 1_000

/**
 * Runs at the end of the page: loads the app's code after the first screen and its visible pictures are painted. On a
 * slow network the two would compete for bandwidth, and until the code arrives the page works by its links.
 */
const LOADER = `(function(d){
var asked
function ask(){
if(asked)return
asked=true
JSON.parse(d.getElementById('first-scripts').textContent).forEach(function(src){
var script=d.createElement('script')
script.src=src
script.async=false
if(src.charAt(0)!=='/')script.crossOrigin='anonymous'
d.body.appendChild(script)})}
var left=1
function came(){if(--left===0)requestAnimationFrame(function(){setTimeout(ask)})}
Array.prototype.forEach.call(d.images,function(picture){
var place=picture.getBoundingClientRect()
if(picture.complete||place.top>=innerHeight||place.left>=innerWidth)return
left++
picture.onload=picture.onerror=came})
came()
setTimeout(ask,${PICTURES_WITHIN})})(document)`

interface Shell {
  head: string
  tail: string
}

/**
 * Prepares index.html: inlines a page's styles (marked with their addresses, so that the app does not load them again)
 * and moves its scripts to the end; only the content is missing.
 * @param files addresses loaded by the page after the entry
 * @param plain styles before all of them
 */
function prepare(root: string, index: string, files: readonly string[], plain: string): Shell {
  // the address may be on a CDN, the file is also stored here
  const fileAt = (href: string) => path.join(root, /\/css\/[^/]+$/.exec(href)?.[0] ?? '')
  const style = (href: string) => `<style data-href="${href}">${readFileSync(fileAt(href), 'utf8')}</style>`
  const own = files.filter((file) => file.endsWith('.css')).map(style)
  const scripts: string[] = []
  const slim = index
    .replace(/<link href="([^"]*\/css\/[^"]+)" rel="stylesheet"[^>]*>/g, (_, href: string) => style(href))
    .replace(/<script defer="defer" src="([^"]+)"[^>]*><\/script>/g, (_, src: string) => {
      scripts.push(src)
      return ''
    })
    .replace('</title>', `</title><style>${plain}</style>`)
    .replace('</head>', `${own.join('')}</head>`)
  // chunks may run before the entry, which then finds them loaded
  const all = [...files.filter((file) => file.endsWith('.js')), ...scripts]
  const loader = `<script type="application/json" id="first-scripts">${inScript(all)}</script><script>${LOADER}</script>`
  const at = slim.indexOf('<div id="app">')
  const end = slim.indexOf('</body>')
  return {
    head: slim.slice(0, at),
    tail: `${slim.slice(at, end)}${loader}${slim.slice(end)}`,
  }
}

function fill({ head, tail }: Shell, { screen, answers, preview }: First): string {
  const data = `<script type="application/json" id="first-data">${inScript(answers)}</script>`
  return `${preview ? withPreview(head, preview) : head}${screen ?? ''}${data}${tail}`
}

/** A page's text, compressed once per encoding. */
function packable(text: string, quality: number) {
  const packed = { br: undefined, gzip: undefined } as Record<'br' | 'gzip', Promise<Buffer> | undefined>
  return (encoding: 'br' | 'gzip' | undefined): string | Promise<Buffer> => {
    if (!encoding) return text
    packed[encoding] ??= pack(text, encoding, quality)
    return packed[encoding]
  }
}

type Sent = ReturnType<typeof packable> | undefined

/** Renders a page; pages that are the same for everybody are cached for a while. */
function createMaker(shell: Shell, view: FirstView, { keep, make }: FirstPage) {
  const kept = cacheFor<Promise<Sent>>(keep)
  const fresh = async (ctx: OpenCtx, query: Record<string, unknown>): Promise<Sent> => {
    const first = await make(view, ctx, query)
    return first && packable(fill(shell, first), keep > 0 ? QUALITY.many : QUALITY.one)
  }
  return (ctx: OpenCtx, query: Record<string, unknown>): Promise<Sent> =>
    keep > 0 ? kept(() => fresh(ctx, {})) : fresh(ctx, query)
}

interface FirstPages {
  /** inline scripts of all pages */
  scripts: readonly string[]
  /** Serves a page; false for other addresses, and while there is no database. */
  send(req: FastifyRequest, reply: FastifyReply): Promise<boolean>
}

/** Server-rendered first screens with their data; none when the build in `root` has no renderer for them. */
export function createFirstPages(root: string, index: string, lifecycle: Lifecycle): FirstPages {
  const program = path.join(root, 'first.cjs')
  if (!existsSync(program)) return { scripts: [], send: async () => false }
  const { first: view } = require(program) as { first: FirstView }
  const list = path.join(root, 'first.json')
  const files: Partial<Record<FirstPage['name'], string[]>> = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : {}
  const pages = firstPages.map((page) => ({
    ...page,
    send: createMaker(prepare(root, index, files[page.name] ?? [], view.style), view, page),
  }))

  async function send(req: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const at = pathOf(req.url)
    const page = pages.find(({ paths }) => paths.includes(at))
    const ctx = page && anonymousContext(lifecycle, req, 'h5')
    const sent = ctx && (await page.send(ctx, req.query as Record<string, unknown>))
    if (!sent) return false
    const encoding = encodingOf(req.headers['accept-encoding'])
    const body = await sent(encoding)
    if (encoding) reply.header('content-encoding', encoding)
    // search engines would go on showing a withdrawn share
    if (page.keep === 0) reply.header('x-robots-tag', 'noindex')
    reply
      .header('vary', 'accept-encoding')
      .header('cache-control', page.keep === 0 ? 'private, no-store' : 'no-cache')
      .type('text/html; charset=utf-8')
      .send(body)
    return true
  }
  return { scripts: [...view.scripts, LOADER], send }
}
