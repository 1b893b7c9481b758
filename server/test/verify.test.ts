import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { estimate } from '@/contract/format'
import type { Report } from '@/contract/types'
import { setupServer, someAnswers } from './harness'

const DAY = 86_400_000
let token: string
let orderId: string
let report: Report
const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  token = (await server.login('13800000001')).token
  const { config } = (await server.lifecycle.deps?.repositories.games.find('naraka')) ?? {}
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const req = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  orderId = (await server.call('evaluation', 'submitAi', req, { token })).body.data.orderId
  report = await read()
})

const read = async () => (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
const open = async (url: string) => {
  const { pathname, search } = new URL(url, 'http://x')
  return server.app.inject({ url: pathname + search, headers: { accept: 'text/html' } })
}
const stateOf = (body: string) => /<h1>([^<]*)<\/h1>/.exec(body)?.[1]
const urlOf = ({ verifyUrl }: Report) => {
  if (!verifyUrl) throw new Error('no address')
  return verifyUrl
}
const change = (set: object) =>
  server.database.db.updateTable('reports').set(set).where('report_no', '=', report.reportNo).execute()

test('the page shows what the picture shows, without script', async () => {
  const answer = await open(urlOf(report))
  expect([answer.statusCode, stateOf(answer.body)]).toEqual([200, '有效'])
  for (const text of [report.reportNo, estimate(report.price.predictFen), '永劫无间', 'AI 估价', '样本含合成数据'])
    expect(answer.body).toContain(text)
  expect(answer.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  expect(answer.headers['cache-control']).toBe('no-store')
  expect(answer.body).not.toContain('<script')
  // a reader may come from the text of a listing, which has a price of its own
  for (const text of ['请逐项核对您看到的内容', '售价由卖家自己定']) expect(answer.body).toContain(text)
  // without data of the account, its owner or the order
  expect(answer.body).not.toContain(orderId)
})

test('an address carries the start of the signature, which no other start replaces', async () => {
  const { origin, pathname, search } = new URL(urlOf(report))
  const { signature = '' } = report
  const start = search.slice('?s='.length)
  expect([signature.startsWith(start), start.length * 6 >= 128]).toEqual([true, true])
  const other = start.at(-1) === 'A' ? 'B' : 'A'
  expect(start).toMatch(/[0-9A-Za-z]$/)
  for (const wrong of [
    signature.slice(0, 21),
    start.slice(0, -1) + other,
    `${signature.slice(0, 40)}~`,
    `${signature}A`,
    '',
  ])
    expect(stateOf((await open(`${origin}${pathname}?s=${wrong}`)).body)).toBe('无效')
})

test('without the signature the page does not reveal whether a number exists', async () => {
  const real = `/v/${report.reportNo}`
  const wrong = `?s=${randomBytes(64).toString('base64url')}`
  const { signature = '' } = report
  const swapped = `?s=${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`
  const typed = await Promise.all([real, '/v/GZ20200101-AAAAAA', '/v/1'].map(open))
  expect(new Set(typed.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(stateOf(typed[0]?.body ?? '')).toBe('请扫码验证')
  const addresses = [real + wrong, `/v/GZ20200101-AAAAAA${wrong}`, real + swapped, real + wrong.slice(0, 25)]
  const hostile = [
    `/v/GZ20200101-AAAAAA?s=${signature}`,
    '/v/%3Cscript%3E?s=1',
    `${real}?s=a&s=b`,
    '/v/%00?s=1',
    '/v/%00?s=%00',
  ]
  const answers = await Promise.all([...addresses, ...hostile].map(open))
  expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
  expect(stateOf(answers[0]?.body ?? '')).toBe('无效')
})

test('a changed price or content is 无效', async () => {
  const { price } = report
  await change({ predict_fen: price.predictFen + 100 })
  expect(stateOf((await open(urlOf(report))).body)).toBe('无效')
  await change({ predict_fen: price.predictFen })
  const { body } = await server.database.db
    .selectFrom('reports')
    .select('body')
    .where('report_no', '=', report.reportNo)
    .executeTakeFirstOrThrow()
  await change({ body: JSON.stringify({ ...body, price: { ...price, highFen: 1 } }) })
  expect(stateOf((await open(urlOf(report))).body)).toBe('无效')
  await change({ body: JSON.stringify(body) })
  expect(stateOf((await open(urlOf(report))).body)).toBe('有效')
})

test('a report of an earlier release, whose digest covers what it says of another one, is 有效', async () => {
  const reports = server.database.db.selectFrom('reports').where('report_no', '=', report.reportNo)
  const { body, digest } = await reports.select(['body', 'digest']).executeTakeFirstOrThrow()
  const whole = JSON.stringify({ ...body, changed: { reportNo: 'GZ20200101-AAAAAA', at: 0, beforeFen: 1, lines: [] } })
  await change({ body: whole, digest: sql<string>`encode(sha256(convert_to(${whole}::jsonb::text, 'UTF8')), 'hex')` })
  expect(stateOf((await open(urlOf(await read()))).body)).toBe('有效')
  await change({ body: JSON.stringify(body), digest })
})

test('an expired report is 已过期; a revoked one is 已撤回 without its price, even if its content is deleted', async () => {
  server.clock.advance(8 * DAY)
  const expired = (await open(urlOf(report))).body
  expect([stateOf(expired), expired.includes(estimate(report.price.predictFen))]).toEqual(['已过期', true])
  await change({ status: 'REVOKED', body: '{}' })
  const revoked = (await open(urlOf(report))).body
  expect([stateOf(revoked), revoked.includes(estimate(report.price.predictFen))]).toEqual(['已撤回', false])
})
