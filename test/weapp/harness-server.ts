/**
 * Serves the harness and the compiled build to the browsers of a run: over real HTTP, so that Chromium caches files and
 * compiled code between cold starts.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { transformSync } from '@swc/core'
import type { Browser } from 'playwright-core'
import type { Compiled } from './bundle'
import { preparedBundle } from './compiled-bundle'
import { dist } from './dist'
import type * as modulesInPage from './runtime/modules'

/** px of the phone's screen */
export const WIDTH = 375

/** environment variable with the URL of the run's site */
export const siteVariable = 'WEAPP_SITE'

/** jest and npm scripts both run in the project's root; not every loader provides a file's path */
const here = path.resolve('test/weapp')
const modules = path.resolve('node_modules')
const libraries: Record<string, string> = {
  'glass-easel': 'glass-easel/dist/glass_easel.all.es.js',
  'glass-easel-miniprogram-adapter': 'glass-easel-miniprogram-adapter/dist/glass_easel_miniprogram_adapter.es.js',
}
const imports = Object.fromEntries(Object.keys(libraries).map((name) => [name, `/lib/${name}`]))

/** Files that differ from build to build, in the order in which the page loads it. */
const parts = ['/bundle.js', '/templates.js', '/code.js'] as const
export type Parts = Record<(typeof parts)[number], string>

const html = `<!doctype html><html><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><link rel="stylesheet" href="/runtime/frame.css">
<script type="importmap">${JSON.stringify({ imports })}</script>
${parts.map((src) => `<script src="${src}"></script>`).join('')}<script type="module" src="/runtime/main"></script></head>
<body><div id="pages"></div><div id="overlay"></div><div id="capsule"></div></body></html>`

interface Served {
  type: string
  body: string | Buffer
}
const js = (body: string | Buffer): Served => ({ type: 'text/javascript', body })

function script(file: string): Served {
  const { code } = transformSync(readFileSync(file, 'utf8'), {
    filename: file,
    jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  })
  return js(code)
}

function read(name: string): Served | undefined {
  const library = libraries[name.replace('/lib/', '')]
  if (library) return js(readFileSync(path.join(modules, library)))
  const own = path.join(here, name)
  if (existsSync(`${own}.ts`)) return script(`${own}.ts`)
  if (name.endsWith('.css') && existsSync(own)) return { type: 'text/css', body: readFileSync(own) }
  const asset = path.join(dist, name)
  if (!statSync(asset, { throwIfNoEntry: false })?.isFile()) return undefined
  return { type: name.endsWith('.svg') ? 'image/svg+xml' : 'application/octet-stream', body: readFileSync(asset) }
}

/** All files of the app as one script: a function of the names that they see (runtime/modules.ts). */
function codeOf(scripts: Compiled['scripts'], names: readonly string[]): string {
  const files = Object.entries(scripts).map(
    ([file, text]) => `${JSON.stringify(file)}:function(require,module,exports){${text}\n}`,
  )
  return `window.hostCode={names:${JSON.stringify(names)},files:function(${names.join()}){return{${files.join(',\n')}}}}`
}

/** @param names browser globals hidden from the app's files, and their replacements */
export function partsOf({ bundle, scripts, templates }: Compiled, names: readonly string[]): Parts {
  return {
    '/bundle.js': `window.hostBundle=${JSON.stringify(bundle)}`,
    '/templates.js': `window.hostTemplates=${templates}`,
    '/code.js': codeOf(scripts, names),
  }
}

/** Evaluates on a page of the site, where a browser has more globals than on about:blank. */
async function namesIn(browser: Browser, url: string, language: string[]): Promise<string[]> {
  const page = await browser.newPage()
  try {
    await page.goto(`${url}/empty`)
    // as text, because jest would turn the import into require
    return (await page.evaluate(
      `import('/runtime/modules').then(({ namesOf }) => namesOf(${JSON.stringify(language)}))`,
    )) as ReturnType<typeof modulesInPage.namesOf>
  } finally {
    await page.close()
  }
}

export interface Site {
  url: string
  close(): Promise<void>
}

/** @throws Error when there is no build of the mini-program, or a compiler refuses it */
export async function startSite(browser: Browser): Promise<Site> {
  if (!existsSync(path.join(dist, 'app.json'))) throw new Error('dist/weapp is missing: npm run build:weapp')
  const made = new Map<string, Served>([
    ['/', { type: 'text/html', body: html }],
    ['/empty', { type: 'text/html', body: '<link rel="icon" href="data:,">' }],
  ])
  const server = createServer((request, answer) => {
    const name = new URL(request.url ?? '/', 'http://site').pathname
    const found = made.get(name) ?? read(name)
    if (!found) return answer.writeHead(404).end()
    made.set(name, found)
    // the site does not change during a run
    answer.writeHead(200, { 'content-type': found.type, 'cache-control': 'max-age=86400, immutable' }).end(found.body)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // a different host than the server under test, so that pictures are cross-origin as on a phone
  const url = `http://localhost:${(server.address() as AddressInfo).port}`
  const compiled = await preparedBundle(WIDTH)
  const names = await namesIn(browser, url, compiled.bundle.languageGlobals)
  made.set('/names.json', { type: 'application/json', body: JSON.stringify(names) })
  for (const [name, body] of Object.entries(partsOf(compiled, names))) made.set(name, js(body))
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { url, close }
}
