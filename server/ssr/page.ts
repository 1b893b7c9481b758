import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SsrRenderer } from '@/contract/ssr'
import type { OpenCtx } from '../core/context'
import type { Lifecycle } from '../core/lifecycle'
import { pathOf } from '../core/log'
import { createStaleCache } from '../core/stale-cache'
import { html } from '../http/html'
import { compressText, encodingOf } from '../http/plugins/compress'
import { anonymousContext } from './anonymous-context'
import { type Preview, type SsrPage, type SsrResult, ssrPages } from './screens'

/** Brotli quality of cached pages */
const BEST_QUALITY = 11

/** JSON for a script element, escaped so that it cannot close the element. */
const inScript = (value: unknown) =>
  JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The head with the preview's meta tags; all values are escaped. */
function withPreview(index: string, { title, desc, image, url }: Preview): string {
  const head = html`<meta name="description" content="${desc}"><meta property="og:type" content="article">
<meta property="og:title" content="${title}"><meta property="og:description" content="${desc}">
<meta property="og:image" content="${image}"><meta property="og:url" content="${url}">`
  // a replacer function, so that `$` in a text has no special meaning
  return index
    .replace(/<title>[^<]*<\/title>/, () => html`<title>${title}</title>`.text)
    .replace(/<meta name="description"[^>]*>/, '')
    .replace('</head>', () => `${head.text}</head>`)
}

/** ms after which the app's code is requested in a tab that paints nothing */
const CODE_WITHIN = 1_000

/**
 * Runs at the end of the page: requests the app's code once the first screen is painted, or in old browsers laid out. On a
 * slow network they would compete for bandwidth, and until the code has loaded the page works by its links.
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
var seen=window.PerformanceObserver&&PerformanceObserver.supportedEntryTypes
if(seen&&seen.indexOf('paint')>=0)new PerformanceObserver(ask).observe({type:'paint',buffered:true})
else requestAnimationFrame(function(){setTimeout(ask)})
setTimeout(ask,${CODE_WITHIN})})(document)`

type HtmlTemplate = ReturnType<typeof prepare>

/**
 * index.html with the page's styles inlined (each marked with its URL, so that the app does not load it again), their
 * font preloaded and a list of its scripts at the end. Only the content is missing.
 * @param files addresses of what the page loads after the entry
 * @param plain styles before all of them
 */
function prepare(root: string, index: string, files: readonly string[], plain: string) {
  // the URL may point to a CDN; the file exists here as well
  const fileAt = (href: string) => path.join(root, /\/css\/[^/]+$/.exec(href)?.[0] ?? '')
  const style = (href: string) => `<style data-href="${href}">${readFileSync(fileAt(href), 'utf8')}</style>`
  const own = files.filter((file) => file.endsWith('.css')).map(style)
  const preload = (font: string) => `<link rel="preload" as="font" type="font/woff2" crossorigin href="${font}">`
  const scripts: string[] = []
  const slim = index
    .replace(/<link href="([^"]*\/css\/[^"]+)" rel="stylesheet"[^>]*>/g, (_, href: string) => style(href))
    .replace(/<script defer="defer" src="([^"]+)"[^>]*><\/script>/g, (_, src: string) => {
      scripts.push(src)
      return ''
    })
    .replace('</head>', `${own.join('')}</head>`)
  const fonts = Array.from(slim.matchAll(/url\(([^)]+\.woff2)\)/g), ([, font = '']) => preload(font))
  const page = slim.replace('</title>', `</title>${fonts.join('')}<style>${plain}</style>`)
  // chunks may arrive before the entry, which then does not request them
  const all = [...files.filter((file) => file.endsWith('.js')), ...scripts]
  const loader = `<script type="application/json" id="first-scripts">${inScript(all)}</script><script>${LOADER}</script>`
  const container = page.indexOf('<div id="app">')
  const end = page.indexOf('</body>')
  return {
    head: page.slice(0, container),
    tail: `${page.slice(container, end)}${loader}${page.slice(end)}`,
  }
}

function fill({ head, tail }: HtmlTemplate, { screen, responses, preview }: SsrResult): string {
  const data = `<script type="application/json" id="first-data">${inScript(responses)}</script>`
  return `${preview ? withPreview(head, preview) : head}${screen ?? ''}${data}${tail}`
}

interface Made {
  text: string
  /** compressed at the best quality, if the page is cached */
  br?: Buffer
}

/** stale-while-revalidate: ms for which a cached page is still sent while it is rendered again */
const STALE_FOR = 60_000

/**
 * Renders a page. Pages that are the same for everybody are cached, so that no visitor waits for database or Brotli.
 */
function createMaker(template: HtmlTemplate, renderer: SsrRenderer, { keep, make }: SsrPage) {
  const cached = createStaleCache<Made>({ fresh: keep, stale: STALE_FOR })
  let last: Made | undefined
  return (ctx: OpenCtx, query: Record<string, unknown>): Promise<Made | undefined> =>
    cached.get('', async () => {
      const result = await make(renderer, ctx, query)
      if (!result) return undefined
      const text = fill(template, result)
      if (keep === 0) return { text }
      // most renewals give the same text, which is compressed once: the best quality takes 0.1 s of a processor
      if (last?.text !== text) last = { text, br: await compressText(text, 'br', BEST_QUALITY) }
      return last
    })
}

/**
 * Pages with their first screen and its data, and the inline scripts of all of them; none if the build in `root` has no
 * renderer.
 */
export function createSsrPages(root: string, index: string, lifecycle: Lifecycle) {
  const program = path.join(root, 'ssr.cjs')
  if (!existsSync(program)) return { scripts: [], send: async () => false }
  const { ssrRenderer: renderer } = require(program) as { ssrRenderer: SsrRenderer }
  const list = path.join(root, 'ssr.json')
  const files: Partial<Record<SsrPage['name'], string[]>> = existsSync(list)
    ? JSON.parse(readFileSync(list, 'utf8'))
    : {}
  const pages = ssrPages.map((page) => ({
    ...page,
    send: createMaker(prepare(root, index, files[page.name] ?? [], renderer.style), renderer, page),
  }))

  /** Sends a page. @returns false for all other URLs, and while the database is unavailable */
  async function send(req: FastifyRequest, reply: FastifyReply): Promise<boolean> {
    const path = pathOf(req.url)
    const page = pages.find(({ paths }) => paths.includes(path))
    const ctx = page && anonymousContext(lifecycle, req, 'h5')
    const sent = ctx && (await page.send(ctx, req.query as Record<string, unknown>))
    if (!sent) return false
    const encoding = encodingOf(req.headers['accept-encoding'])
    if (encoding) reply.header('content-encoding', encoding)
    const packed = encoding === 'br' && sent.br
    const body = packed || (encoding ? await compressText(sent.text, encoding) : sent.text)
    // search engines must not keep a shared report, because it can be withdrawn
    if (page.keep === 0) reply.header('x-robots-tag', 'noindex')
    reply
      .header('vary', 'accept-encoding')
      .header('cache-control', page.keep === 0 ? 'private, no-store' : 'no-cache')
      .type('text/html; charset=utf-8')
      .send(body)
    return true
  }
  return { scripts: [...renderer.scripts, LOADER], send }
}
