import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { calls } from '@/contract/calls'
import { buildSsrBundle } from '../../config/ssr-bundle'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from './harness'

const inline = '!function(){document.title="x"}()'
const html = `<!DOCTYPE html><html><head><script>${inline}</script></head><body><div id="app"></div><script defer="defer" src="/js/app.0123abcd.js"></script></body></html>`
const js = 'console.warn("hello")'.repeat(100)
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

let testDatabase: TestDatabase
let server: TestServer
let dist: string
beforeAll(async () => {
  dist = mkdtempSync(path.join(tmpdir(), 'valuation-dist-'))
  mkdirSync(path.join(dist, 'js'))
  writeFileSync(path.join(dist, 'index.html'), html)
  buildSsrBundle(dist)
  writeFileSync(path.join(dist, 'js/app.0123abcd.js'), js)
  writeFileSync(path.join(dist, 'js/app.0123abcd.js.br'), brotliCompressSync(js))
  writeFileSync(path.join(dist, 'logo.svg'), '<svg/>')
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, pagesDir: dist })
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
  rmSync(dist, { recursive: true, force: true })
})

const get = (url: string, headers: Record<string, string> = {}) => server.app.inject({ url, headers })

test("/ contains the home page's HTML and data before the app and is not cached", async () => {
  const { body: banners } = await server.call('app', 'banner', { place: 'HOME' })
  const answer = await get('/', page)
  expect(answer.statusCode).toBe(200)
  const positions = [
    '索要游戏验证码的，都是骗子</div>',
    'id="first-data"',
    '<div id="app">',
    '["/js/app.0123abcd.js"]',
  ].map((part) => answer.body.indexOf(part))
  expect(positions).toEqual([...positions].filter((n) => n > 0).sort((a, b) => a - b))
  const data = /id="first-data">(.*?)<\/script>/s.exec(answer.body)?.[1] ?? ''
  const key = '/app-api/home/banner?place=HOME\n'
  expect(Object.keys(JSON.parse(data))).toContain(key)
  // the embedded response of a call equals the response of the call
  expect(JSON.parse(data)[key]).toEqual(banners.data)
  // by which the app finds out whether there is a new build
  expect((await get('/', { accept: '*/*' })).body).toContain('/js/app.0123abcd.js')
  const packed = await get('/', { ...page, 'accept-encoding': 'br' })
  expect(brotliDecompressSync(packed.rawPayload).toString()).toBe(answer.body)
  expect(answer.headers['cache-control']).toBe('no-cache')
  expect(answer.headers['content-type']).toContain('text/html')
})

test.each(['/', '/pages/evaluation/report/index'])('%s answers a HEAD request', async (url) => {
  const answer = await server.app.inject({ method: 'HEAD', url, headers: { accept: '*/*' } })
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toContain('text/html')
})

test('the policy allows exactly the inline scripts of index.html and of first screens', async () => {
  const { headers, body } = await get('/', page)
  const policy = String(headers['content-security-policy'])
  const sourceOf = (code: string) => `'sha256-${createHash('sha256').update(code).digest('base64')}'`
  expect(policy).toContain(`script-src 'self' ${sourceOf(inline)}`)
  const scripts = Array.from(body.matchAll(/<script>(.*?)<\/script>/gs), ([, code = '']) => code)
  // the scripts of index.html, of the device's draft, of the first launch's question, and the one that loads the app
  expect(scripts).toHaveLength(4)
  for (const code of scripts) expect(policy).toContain(sourceOf(code))
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
})

test('pages of the app have no opener policy, for which browsers start a second process before the first paint', async () => {
  for (const url of ['/', '/pages/mine/index', '/pages/evaluation/report/index']) {
    const { headers } = await get(url, page)
    expect(headers['cross-origin-opener-policy']).toBeUndefined()
    expect(headers['content-security-policy']).toContain("frame-ancestors 'self'")
  }
})

test('hashed files are brotli-compressed and immutable, others are neither', async () => {
  const answer = await get('/js/app.0123abcd.js', { 'accept-encoding': 'gzip, br' })
  expect(answer.headers['content-encoding']).toBe('br')
  expect(answer.headers['content-type']).toContain('javascript')
  expect(answer.headers['cache-control']).toBe('public, max-age=31536000, immutable')
  expect(brotliDecompressSync(answer.rawPayload).toString()).toBe(js)
  // headers that only affect documents are omitted from files, many of which are smaller than these headers
  expect(answer.headers['content-security-policy']).toBeUndefined()
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  const plain = await get('/js/app.0123abcd.js')
  expect([plain.headers['content-encoding'], plain.body]).toEqual([undefined, js])
  expect((await get('/logo.svg')).headers['cache-control']).toBe('no-cache')
})

test('files built for the server are not served', async () => {
  for (const name of ['/ssr.cjs', '/ssr.json', '/ssr.cjs.br', '/%73sr.cjs'])
    expect([name, (await get(name)).statusCode]).toEqual([name, 404])
})

test('files from another host: the CSP names it, the first screen contains their styles, and they may be loaded from there', async () => {
  const assets = 'https://cdn.example.com/app'
  const folder = mkdtempSync(path.join(tmpdir(), 'valuation-assets-'))
  mkdirSync(path.join(folder, 'css'))
  const link = `<link href="${assets}/css/app.0123abcd.css" rel="stylesheet">`
  const script = `<script defer="defer" src="${assets}/js/app.0123abcd.js"></script>`
  writeFileSync(path.join(folder, 'index.html'), html.replace(/<script defer.*<\/script>/, script + link))
  writeFileSync(path.join(folder, 'css/app.0123abcd.css'), '.here{}')
  buildSsrBundle(folder)
  writeFileSync(path.join(folder, 'ssr.json'), JSON.stringify({ home: [`${assets}/js/home.0123abcd.js`] }))
  const other = await createTestDatabase()
  const elsewhere = await startServer({ testDatabase: other, pagesDir: folder })
  const answer = await elsewhere.app.inject({ url: '/', headers: page })
  const policy = String(answer.headers['content-security-policy'])
  for (const kind of ['script-src', 'style-src', 'img-src', 'font-src', 'connect-src'])
    expect(policy).toMatch(new RegExp(`${kind} [^;]*https://cdn\\.example\\.com[ ;]`))
  expect(answer.body).toContain(`<style data-href="${assets}/css/app.0123abcd.css">.here{}</style>`)
  const [, code = '[]'] = /id="first-scripts">(.*?)<\/script>/s.exec(answer.body) ?? []
  expect(JSON.parse(code)).toEqual([`${assets}/js/home.0123abcd.js`, `${assets}/js/app.0123abcd.js`])
  const file = await elsewhere.app.inject({ url: '/css/app.0123abcd.css' })
  expect(file.headers).toMatchObject({
    'access-control-allow-origin': '*',
    'cross-origin-resource-policy': 'cross-origin',
  })
  await elsewhere.close()
  other.remove()
  rmSync(folder, { recursive: true })
})

test.each([
  '/pages/evaluation/index',
  '/pagesA/pages/home/article/index?key=ABOUT',
  '/anything',
  '/%2Fpages/evaluation/index',
  '/pages/evaluation/index%00',
])('a navigation to %s gets the app', async (url) => {
  const answer = await get(url, page)
  expect([answer.statusCode, answer.body]).toEqual([200, html])
})

test.each([
  ['//pages/home/index?from=chat', '/pages/home/index?from=chat'],
  ['/pages//evaluation///index', '/pages/evaluation/index'],
  ['/pages/home/index.html', '/pages/home/index'],
  ['/%', '/'],
  ['/pages/%ff/index?a=1', '/'],
])('a navigation to %s is led to %s', async (url, to) => {
  const answer = await get(url, page)
  expect([answer.statusCode, answer.headers.location]).toEqual([302, to])
})

test.each([
  ['/js/gone.89abcdef.js', page],
  ['/static/gone.png', page],
  ['/pages/evaluation/index', { accept: 'application/json' }],
  ['/app-api/nothing', page],
  ['/app-api/%', page],
  ['//pages/home/index', { accept: 'application/json' }],
  ['/../../package.json', page],
  ['/%2e%2e/%2e%2e/package.json', page],
] as [string, Record<string, string>][])('%s is 404 and not the app', async (url, headers) => {
  const answer = await get(url, headers)
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'NOT_FOUND'])
  expect(answer.headers['cache-control']).toBe('no-store')
})

test('above the limit of calls a shared report’s page is the app alone, without a database query', async () => {
  const [other, url] = [await createTestDatabase(), '/pages/evaluation/report/wxIframe?shareToken=guessed']
  const limited = await startServer({ testDatabase: other, pagesDir: dist, env: { RATE_LIMIT: '1' } })
  const asked = jest.spyOn(limited.database.db, 'selectFrom')
  for (const method of ['GET', 'GET', 'HEAD'] as const) {
    const answer = await limited.app.inject({ method, url, headers: page })
    const body = method === 'GET' ? html : ''
    expect([answer.statusCode, answer.body, asked.mock.calls.length]).toEqual([200, body, 1])
  }
  await limited.close()
  other.remove()
})

test('a POST to a page does not return the page', async () => {
  const answer = await server.app.inject({ method: 'POST', url: '/pages/evaluation/index', headers: page })
  expect(answer.statusCode).toBe(404)
})

test('the API is described at /docs: all seventy calls and our own, with access and responses', async () => {
  const answer = await get('/docs/json')
  const { paths } = answer.json() as {
    paths: Record<string, Record<string, { operationId: string; security: object[] }>>
  }
  const api = Object.entries(paths).filter(([url]) => url.startsWith('/app-api/'))
  const names = api.flatMap(([, methods]) => Object.values(methods).map((operation) => operation.operationId))
  const wanted = Object.entries(calls).flatMap(([group, defs]) => Object.keys(defs).map((name) => `${group}.${name}`))
  expect(names.sort()).toEqual(wanted.sort())
  expect(paths[calls.user.get.path]?.get).toMatchObject({
    operationId: 'user.get',
    security: [{ sign: [], token: [] }],
  })
  expect((await get('/docs/', page)).headers['content-security-policy']).not.toContain('upgrade-insecure-requests')
})

test('in production the API is described only where API_DOCS=1 says so', async () => {
  const other = await createTestDatabase()
  const env = {
    NODE_ENV: 'production',
    IDENTITY_KEYS: `k1:${Buffer.alloc(32, 1).toString('base64')}`,
    PUBLIC_URL: 'https://gz.example.com',
  }
  const statuses = async (more: Record<string, string>) => {
    const production = await startServer({ testDatabase: other, env: { ...env, ...more } })
    const paths = ['/docs', '/docs/', '/docs/json', '/docs/yaml', '/docs/static/index.html']
    const answers = await Promise.all(paths.map((url) => production.app.inject({ url })))
    await production.close()
    return answers.map(({ statusCode }) => statusCode)
  }
  expect(await statuses({})).toEqual([404, 404, 404, 404, 404])
  expect((await statuses({ API_DOCS: '1' }))[2]).toBe(200)
  other.remove()
})

describe('phases', () => {
  afterEach(() => {
    server.lifecycle.phase = 'ready'
  })

  test('starting: all requests wait except the health checks, which answer 503', async () => {
    server.lifecycle.phase = 'starting'
    const answers = await Promise.all(['/healthz', '/readyz', '/', calls.app.homeGameList.path].map((url) => get(url)))
    expect(answers.map((a) => a.statusCode)).toEqual([503, 503, 503, 503])
    expect(answers[3]?.json()).toMatchObject({ success: false, code: 'SERVICE_UNAVAILABLE' })
    expect(answers[3]?.headers['retry-after']).toBe('2')
  })

  test('ready, then draining: calls are still served, with connection: close', async () => {
    expect((await get('/readyz')).statusCode).toBe(200)
    server.lifecycle.phase = 'draining'
    expect((await get('/readyz')).statusCode).toBe(503)
    const answer = await server.call('app', 'homeGameList', {})
    expect([answer.status, answer.headers.connection]).toEqual([200, 'close'])
  })
})

test.each(['/logo.svg', '/content/pictures/cover-check.webp'])(
  '%s refuses a range past its end with 416 and its size',
  async (url) => {
    const { rawPayload } = await get(url)
    const answer = await get(url, { range: 'bytes=99999999-' })
    expect([answer.statusCode, answer.headers['content-range'], answer.json().code]).toEqual([
      416,
      `bytes */${rawPayload.length}`,
      'RANGE_NOT_SATISFIABLE',
    ])
    const part = await get(url, { range: 'bytes=1-2' })
    expect([part.statusCode, part.rawPayload.length]).toEqual([206, 2])
  },
)

test.each([
  ['if-match', '"other"'],
  ['if-unmodified-since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
])('a file that does not fulfil %s: %s is refused with 412', async (name, value) => {
  const answer = await get('/logo.svg', { [name]: value })
  expect([answer.statusCode, answer.json().code]).toEqual([412, 'PRECONDITION_FAILED'])
})
