import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { sql } from 'kysely'
import { calls } from '@/contract/calls'
import { FEATURED_REPORT_TOKEN } from '@/contract/constants'
import { estimateRange } from '@/contract/format'
import { ownerHash } from '@/contract/ssr'
import type { Req } from '@/contract/types'
import { buildSsrBundle } from '../../config/ssr-bundle'
import { unlockReport } from '../domains/orders/unlock-report'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from './harness'

const PAGE = '/pages/evaluation/report/wxIframe'
const head = '<title>游戏账号估价专家</title><meta name="description" content="原来的">'
const index = `<!DOCTYPE html><html><head>${head}</head><body><div id="app"></div></body></html>`
let testDatabase: TestDatabase
let server: TestServer
let dist: string
let owner: { token: string }
let friend: { token: string }
let orderId: string
let reportNo: string
beforeAll(async () => {
  dist = mkdtempSync(path.join(tmpdir(), 'valuation-share-'))
  writeFileSync(path.join(dist, 'index.html'), index)
  buildSsrBundle(dist)
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['naraka'], pagesDir: dist })
  ;[owner, friend] = [await server.login('13800000001'), await server.login('13800000002')]
  const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const req = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  orderId = (await server.call('evaluation', 'submitAi', req, owner)).body.data.orderId
  reportNo = (await get(owner, { orderId })).body.data.reportNo
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
  rmSync(dist, { recursive: true, force: true })
})

type Who = { token: string } | undefined
const get = (who: Who, req: Req<'evaluation', 'reportGet'>) => server.call('evaluation', 'reportGet', req, who)
const share = (who: Who, req: Req<'evaluation', 'reportImageShare'>) =>
  server.call('evaluation', 'reportImageShare', req, who)
const begin = async () => {
  const { shareToken } = (await share(owner, { orderId })).body.data
  if (!shareToken) throw new Error('no token')
  return shareToken
}
const open = (url: string) => server.app.inject({ url, headers: { accept: 'text/html' } })
/** The responses embedded in a page. */
const broughtBy = ({ body }: { body: string }): Record<string, unknown> =>
  JSON.parse(/id="first-data">(.*?)<\/script>/s.exec(body)?.[1] ?? '{}')

test('nobody else can read a report before its owner shares it', async () => {
  expect((await get(owner, { orderId })).body.data.shareToken).toBeUndefined()
  const answers = await Promise.all([
    get(friend, { reportNo }),
    get(friend, { orderId }),
    get(friend, { reportNo, shareToken: 'guessed' }),
    get(friend, { reportNo: 'GZ20200101-AAAAAA', shareToken: 'guessed' }),
    share(friend, { orderId }),
    share(friend, { shareToken: 'guessed' }),
  ])
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.code} ${body.msg}`)).size).toBe(1)
  expect(answers[0]?.status).toBe(404)
})

test('the page of a share contains exactly the call’s response for a visitor, and is hidden from the owner', async () => {
  const shareToken = await begin()
  const answer = await open(`${PAGE}?reportNo=${reportNo}&shareToken=${shareToken}`)
  const told = (await get(undefined, { reportNo, shareToken })).body.data
  for (const part of ['topItems', 'inputs']) expect(told).not.toHaveProperty(part)
  const key = `${calls.evaluation.reportGet.path}?reportNo=${reportNo}&shareToken=${shareToken}\n`
  expect(broughtBy(answer)).toEqual({ [key]: told })
  const { user_id } = await server.database.db.selectFrom('reports').select('user_id').executeTakeFirstOrThrow()
  const mark = ownerHash(reportNo, user_id)
  expect(answer.body).toContain(`<div id="first" data-no="${reportNo}" data-owner="${mark}"><script>`)
  expect(answer.body).toContain(estimateRange(told.price.lowFen, told.price.highFen))
  for (const secret of [orderId, user_id, '13800000001']) expect(answer.body).not.toContain(secret)
  expect(answer.headers).toMatchObject({ 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex' })
  const packed = await server.app.inject({
    url: `${PAGE}?shareToken=${shareToken}`,
    headers: { accept: 'text/html', 'accept-encoding': 'gzip, br' },
  })
  expect(packed.headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(packed.rawPayload).toString()).toContain('id="first" data-no')
})

test('share links open the page without a login', async () => {
  const { url } = (await share(owner, { orderId })).body.data
  const { pathname, search } = new URL(url)
  expect(pathname).toBe(PAGE)
  expect((await open(pathname + search)).body).toContain('rp-price')
})

test('all other URLs of the page get the app alone: another report’s number, a guessed token, an order, missing parameters', async () => {
  const shareToken = await begin()
  const plain = await Promise.all(
    [
      `reportNo=GZ20200101-AAAAAA&shareToken=${shareToken}`,
      `reportNo=${reportNo}&shareToken=guessed`,
      `reportNo=${reportNo}`,
      `orderId=${orderId}&shareToken=${shareToken}`,
      `shareToken=${shareToken}&shareToken=${shareToken}`,
      `reportNo=a%00b&shareToken=${shareToken}`,
    ].map((query) => open(`${PAGE}?${query}`)),
  )
  expect(new Set(plain.map(({ body }) => body))).toEqual(new Set([index]))
})

test('a friend sees price and reasons, but no data of the owner and no locked parts', async () => {
  const shareToken = await begin()
  // sharing twice gives the same share
  expect(await begin()).toBe(shareToken)
  const own = (await get(owner, { orderId })).body.data
  const locked = (await get(friend, { reportNo, shareToken })).body.data
  expect(locked).toMatchObject({ reportNo, mine: false, orderId: '', price: own.price, status: 'LOCKED' })
  expect(locked.breakdown).toHaveLength(2)
  // two lines do not add up to the price, so the response contains the number of hidden ones
  expect(locked.counts.breakdown).toBe(own.counts.breakdown)
  const away = ['inputs', 'listing', 'raise', 'history', 'changed', 'other', 'shareToken']
  expect(locked.comparables).toHaveLength(1)
  for (const part of [...away, 'topItems', 'verifyUrl', 'signature']) expect(locked).not.toHaveProperty(part)
  const { db } = server.database
  await db.transaction().execute((tx) => unlockReport(tx, { orderId, by: 'COUPON', now: server.clock.now() }))
  const seen = (await get(friend, { shareToken })).body.data
  expect(seen.breakdown.length).toBeGreaterThan(2)
  expect(seen.counts.breakdown).toBe(seen.breakdown.length)
  for (const part of away) expect(seen).not.toHaveProperty(part)
  expect(JSON.stringify(seen)).not.toContain(orderId)
  // a stranger can check that it is ours, on a page that shows less than this one
  const proof = await open(new URL(seen.verifyUrl ?? '').pathname + new URL(seen.verifyUrl ?? '').search)
  expect(proof.body).toContain(reportNo)
  expect(proof.body).not.toContain('价格区间')
  // a friend cannot reprice it; the owner gets the own report by the link
  expect((await get(friend, { shareToken, without: '1' })).body.code).toBe('REPORT_LOCKED')
  expect((await get(owner, { shareToken })).body.data).toMatchObject({ mine: true, orderId })
})

test('after revocation the next load shows it, for readers and previews; a new share has a new token', async () => {
  const old = await begin()
  expect((await open(`${PAGE}?reportNo=${reportNo}&shareToken=${old}`)).body).toContain('邀请您查看估价报告')
  expect((await share(friend, { orderId, withdraw: true })).status).toBe(404)
  expect((await share(owner, { orderId, withdraw: true })).body.data.url).toBe('')
  expect((await get(friend, { reportNo, shareToken: old })).body).toMatchObject({
    code: 'SHARE_REVOKED',
    msg: '该分享已撤回',
  })
  expect((await share(friend, { shareToken: old })).body.code).toBe('SHARE_REVOKED')
  expect((await open(`${PAGE}?reportNo=${reportNo}&shareToken=${old}`)).body).toBe(index)
  const next = await begin()
  expect(next).not.toBe(old)
  expect((await get(friend, { shareToken: old })).body.code).toBe('SHARE_REVOKED')
  expect((await get(friend, { shareToken: next })).status).toBe(200)
})

test('ten concurrent requests create one share', async () => {
  await share(owner, { orderId, withdraw: true })
  expect(new Set(await Promise.all(Array.from({ length: 10 }, begin))).size).toBe(1)
})

test('the head of a shared page has a preview for clients without scripts, with markup escaped', async () => {
  const shareToken = await begin()
  const nasty = `"><script>alert('$&')</script>`
  const { db } = server.database
  await db.updateTable('orders').set({ title: nasty }).where('id', '=', orderId).execute()
  const url = `${PAGE}?reportNo=${reportNo}&shareToken=${shareToken}`
  const answer = await open(url)
  const [top = '', below = ''] = answer.body.split('</head>')
  expect(top).not.toContain('<script')
  const data = (id: string) => `<script type="application/json" id="${id}">`
  expect(below.match(/<script[^>]*>/g)).toEqual(['<script>', data('first-data'), data('first-scripts'), '<script>'])
  expect(below).toContain('&lt;script&gt;alert(')
  expect(answer.body).toContain('<title>邀请您查看估价报告</title>')
  const og = (name: string) => new RegExp(`<meta property="og:${name}" content="([^"]*)">`).exec(answer.body)?.[1]
  expect(og('title')).toBe('邀请您查看估价报告')
  expect(og('description')).toContain('&#62;&#60;script&#62;alert(&#39;$&#38;&#39;)')
  expect(og('url')).toBe(`http://localhost:80${url.replace('&', '&#38;')}`)
  const { pathname } = new URL(String(og('image')))
  const { headers, rawPayload } = await open(pathname)
  expect(headers).toMatchObject({ 'content-type': 'image/png', 'cross-origin-resource-policy': 'cross-origin' })
  // 5:4, as chats crop it
  expect([rawPayload.readUInt32BE(16), rawPayload.readUInt32BE(20)]).toEqual([500, 400])
  expect(answer.body.match(/name="description"/g)).toHaveLength(1)
  // without price and account data
  expect(top.replace(/<style>.*<\/style>/s, '')).not.toMatch(/¥|参考成交价/)
  const plain = await Promise.all(
    [`${PAGE}?orderId=${orderId}`, `${PAGE}?shareToken=%22%3E%3Cscript%3E`, `${PAGE}?shareToken=a&shareToken=b`].map(
      open,
    ),
  )
  for (const { body } of plain) expect(body).toContain('content="原来的"')
})

test('an embedding address is readable without a login for ten minutes, and sends no referrer', async () => {
  const { url, shareToken } = (await share(owner, { orderId, embed: true })).body.data
  expect(new URL(url).pathname).toBe(PAGE)
  const seen = await get(undefined, { reportNo, shareToken })
  expect(seen.body.data).toMatchObject({ reportNo, mine: false, orderId: '' })
  // read-only even for the owner
  expect((await get(owner, { reportNo, shareToken })).body.data.mine).toBe(false)
  expect((await get(undefined, { reportNo: 'GZ20200101-AAAAAA', shareToken })).status).toBe(404)
  expect((await get(undefined, { reportNo, shareToken: `${shareToken?.slice(0, -3)}AAA` })).status).toBe(404)
  const page = await open(url)
  expect(page.body).toContain('<div id="first"><div class="ui-page ui-page--wide')
  expect(Object.values(broughtBy(page))).toEqual([seen.body.data])
  expect(String(page.headers['content-security-policy'])).toContain("frame-ancestors 'self';")
  expect(page.headers['referrer-policy']).toBe('no-referrer')
  server.clock.advance(600_001)
  expect((await get(undefined, { reportNo, shareToken })).body).toMatchObject({
    code: 'SHARE_REVOKED',
    msg: '链接已过期',
  })
  expect((await open(url)).body).toBe(index)
})

test('revocation also ends embedding addresses; one made afterwards works', async () => {
  const embed = async () => (await share(owner, { orderId, embed: true })).body.data.shareToken
  const before = await embed()
  server.clock.advance(1)
  await share(owner, { orderId, withdraw: true })
  expect((await get(undefined, { reportNo, shareToken: before })).body.code).toBe('SHARE_REVOKED')
  server.clock.advance(1)
  expect((await get(undefined, { reportNo, shareToken: await embed() })).body.code).toBe('OK')
})

test('the page of a featured report contains it as long as its owner consents', async () => {
  const { db } = server.database
  await db.updateTable('reports').set({ body: sql`jsonb_set(body, '{confidence,level}', '"HIGH"'::jsonb)` }).execute()
  const url = `${PAGE}?reportNo=${reportNo}&shareToken=${FEATURED_REPORT_TOKEN}`
  await server.call('user', 'updateSettings', { showAsExample: true }, owner)
  const told = (await get(undefined, { reportNo, shareToken: FEATURED_REPORT_TOKEN })).body.data
  expect(Object.values(broughtBy(await open(url)))).toEqual([told])
  await server.call('user', 'updateSettings', { showAsExample: false }, owner)
  expect((await open(url)).body).toBe(index)
})

test('WeChat’s browser is given a signature for our own pages and for no others', async () => {
  const ask = (url: string) =>
    server.app.inject({
      method: 'GET',
      url: `/wechat/js-sdk?url=${encodeURIComponent(url)}`,
      headers: { host: 'gz.test' },
    })
  const good = await ask('http://gz.test/pages/home/index?a=1#b')
  expect(good.json()).toEqual({
    ...{ appId: 'sandbox-web', nonceStr: expect.stringMatching(/^\w{24}$/), timestamp: expect.any(Number) },
    signature: expect.stringMatching(/^[0-9a-f]{40}$/),
  })
  for (const url of ['https://evil.test/', 'http://gz.test.evil/', '']) expect((await ask(url)).statusCode).toBe(404)
})
