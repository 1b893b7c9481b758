/** @group long */
import { sql } from 'kysely'
import { closenessText, keysOf } from '@/contract/labels'
import type { Report } from '@/contract/types'
import type { Backtest } from '../db/columns'
import { publishedErrors } from '../domains/models/backtests'
import { unlockReport } from '../domains/orders/unlock-report'
import { ownPrice } from '../domains/reports/appraised-price'
import { recompute } from '../domains/reports/reading/recompute'
import { storeAppraisedReport } from '../domains/reports/store'
import { someAnswers, untilNoon } from './harness'
import { leastProcessorTime } from './processor'
import { config, DAY, db, deps, fits, newUser, opened, server, setUpReports, submit, unlock } from './report-fixture'

setUpReports()

const get = (token: string, orderId: string, without?: string) =>
  server.call('evaluation', 'reportGet', { orderId, ...(without && { without }) }, { token })

const read = async (token: string, orderId: string): Promise<Report> => (await get(token, orderId)).body.data

const sum = (lines: readonly { amountFen: number }[]) => lines.reduce((total, line) => total + line.amountFen, 0)

test('the nearest comparables come first, each with what it has in common', async () => {
  for (const shift of [0, 1, 2]) {
    const token = await newUser()
    const { comparables = [] } = await read(token, await opened(token, someAnswers(config, shift)))
    const shown = comparables.map(({ closeness }) => keysOf(closenessText).indexOf(closeness))
    expect(shown.length).toBeGreaterThan(3)
    expect(shown).toEqual([...shown].sort((a, b) => a - b))
    expect(comparables.some(({ same }) => same.length > 0)).toBe(true)
  }
})

describe('rejected comparables', () => {
  test('are left out of a new price within a second; the report is unchanged', async () => {
    const token = await newUser()
    const orderId = await opened(token, someAnswers(config))
    const before = await read(token, orderId)
    const [first, second] = before.comparables ?? []
    const reprice = () => get(token, orderId, `${first?.id},${second?.id}`)
    const { body } = await reprice()
    expect(await leastProcessorTime(1000, reprice, { most: 5 })).toBeLessThan(1000)
    const { repriced, ...rest } = body.data
    fits('evaluation', 'reportGet', body.data)
    expect(rest).toEqual(before)
    expect(repriced?.without).toEqual([first?.id, second?.id])
    expect(repriced?.comparables.map(({ id }) => id)).not.toContain(first?.id)
    expect(repriced?.comparables.length).toBeGreaterThanOrEqual(3)
    expect(repriced?.price.predictFen).not.toBe(before.price.predictFen)
    expect(await read(token, orderId)).toEqual(before)
  })

  test('are refused for a locked report, another user, or more than three', async () => {
    const token = await newUser()
    const orderId = await submit(token, someAnswers(config))
    expect((await get(token, orderId, '1')).body.code).toBe('REPORT_LOCKED')
    expect((await get(await newUser(), orderId, '1')).status).toBe(404)
    expect((await get(token, orderId, '1,2,3,4')).status).toBe(400)
  })
})

test.each([
  ['gz.test:8443', 'http://gz.test:8443'],
  ['[2001:db8::1]:3000', 'http://[2001:db8::1]:3000'],
  // none of them is a valid host: URLs made with them would lead elsewhere or be invalid
  ['x@evil.test', 'http://localhost'],
  ['a"><b>', 'http://localhost'],
  ['gz.test:99999', 'http://localhost'],
])('reached at %s, a report is proven at %s', async (host, origin) => {
  const token = await newUser()
  const orderId = await submit(token, someAnswers(config))
  await unlockReport(db(), { orderId, by: 'COUPON', now: server.clock.now() })
  const as = { token, headers: { host } }
  const { verifyUrl } = (await server.call('evaluation', 'reportGet', { orderId }, as)).body.data
  expect(verifyUrl).toMatch(new RegExp(`^${origin.replace(/[[\]]/g, '\\$&')}/v/`))
})

test('a later report of the account has its history and the reasons of the change, to the fen, unless it is locked', async () => {
  const token = await newUser()
  const account = someAnswers(config)
  const first = await opened(token, account)
  server.clock.advance(DAY)
  const richer = { ...account, heroCount: Number(account.heroCount) + 6, redCount: Number(account.redCount ?? 0) + 4 }
  const second = await submit(token, richer)
  const locked = await read(token, second)
  expect(locked.counts.history).toBe(1)
  expect(locked).not.toHaveProperty('history')
  expect(locked).not.toHaveProperty('changed')
  await unlock(second)
  const [before, after] = [await read(token, first), await read(token, second)]
  fits('evaluation', 'reportGet', after)
  expect(after.history).toEqual([{ at: before.createdAt, predictFen: before.price.predictFen, reason: '首次估价' }])
  expect(after.changed).toMatchObject({ reportNo: before.reportNo, beforeFen: before.price.predictFen })
  expect(after.changed?.lines.length).toBeGreaterThan(0)
  expect(sum(after.changed?.lines ?? [])).toBe(after.price.predictFen - before.price.predictFen)
  expect(after.inputs?.answers).toMatchObject({ heroCount: richer.heroCount })
  // another account of the same user has its own history
  const other = await read(token, await opened(token, someAnswers(config, 5)))
  expect(other.history).toEqual([])
})

test('an expired report is renewed for free once, regardless of the daily limit', async () => {
  const token = await newUser()
  const old = await submit(token, someAnswers(config))
  // at noon in China, so that the rest happens on the same day
  server.clock.advance(untilNoon(server, 8))
  expect((await read(token, old)).status).toBe('EXPIRED')
  for (const skip of [6, 7, 8]) await submit(token, someAnswers(config, skip))
  await expect(submit(token, someAnswers(config, 9))).rejects.toThrow('FREE_QUOTA_USED')
  const again = await submit(token, someAnswers(config))
  expect(again).not.toBe(old)
  server.clock.advance(11 * 60_000)
  await expect(submit(token, someAnswers(config))).rejects.toThrow('FREE_QUOTA_USED')
})

test('a report is recomputed to the fen, even if form and model have changed since', async () => {
  const token = await newUser()
  const orderId = await opened(token, someAnswers(config, 2))
  const row = await db().selectFrom('reports').selectAll().where('order_id', '=', orderId).executeTakeFirstOrThrow()
  const harsh = { ...config, fields: config.fields.map((field) => ({ ...field, role: 'none' as const })) }
  const games = db().updateTable('games').where('game_id', '=', config.gameId)
  await games.set({ config: JSON.stringify(harsh) }).execute()
  await db().updateTable('models').set({ active: false }).where('id', '=', row.model_id).execute()
  const again = await recompute(deps(), row)
  await db().updateTable('models').set({ active: true }).where('id', '=', row.model_id).execute()
  await games.set({ config: JSON.stringify(config) }).execute()
  const { format: _, model, ...body } = row.body as Record<string, unknown> & { model: { version: string } }
  expect(JSON.parse(JSON.stringify(again))).toMatchObject({ ...body, model: { version: model.version } })
})

test('without a price the answer contains the reason and the game', async () => {
  const token = await newUser()
  const { gameId } = config
  const row = await db().selectFrom('games').selectAll().where('game_id', '=', gameId).executeTakeFirstOrThrow()
  const fresh = { ...config, gameId: 'fresh', name: '新游戏' }
  await db()
    .insertInto('games')
    .values({ ...row, game_id: 'fresh', config: JSON.stringify(fresh) })
    .execute()
  const orderId = await submit(token, someAnswers(config), fresh)
  const { body } = await get(token, orderId)
  expect([body.code, body.data]).toEqual(['SAMPLE_INSUFFICIENT', { gameId: 'fresh' }])
  expect((await get(await newUser(), orderId)).body.code).toBe('NOT_FOUND')
})

test('the appraiser’s price and the model’s are shown together; a difference over 20 % has a reason', async () => {
  const token = await newUser()
  const answers = someAnswers(config, 3)
  const ai = await opened(token, answers)
  const report = await read(token, ai)
  const [order] = await db().selectFrom('orders').selectAll().where('id', '=', ai).execute()
  if (!order) throw new Error('no order')
  const appraisal = async (priceFen: number, version: number) => {
    const asked = { config, answers, source: 'TYPED' as const, now: server.clock.now() }
    const prices = { lowFen: priceFen, quickFen: priceFen, listFen: priceFen, highFen: priceFen }
    const details = { ...prices, corrections: [], struck: [], checked: [] }
    const by = { staffId: 's1', name: '估值师 小林', no: 'A017', years: 4, comment: '有绝版外观', priceFen, details }
    await storeAppraisedReport(db(), asked, {
      ...{ orderId: 'manual1', userId: order.user_id, version, ...ownPrice(by) },
      ...{ isExpert: false, pictures: 0 },
    })
  }
  const manual = {
    ...order,
    id: 'manual1',
    order_no: 'M1',
    mode: 'MANUAL' as const,
    revalue_of: null,
    revaluation_request: null,
    paid_answers: null,
  }
  await db()
    .insertInto('orders')
    .values({ ...manual, answers: JSON.stringify(answers), images: '[]' })
    .execute()
  await appraisal(Math.round(report.price.predictFen * 1.5), 1)
  const compared = await server.call('evaluation', 'contrastAnalysis', { orderIds: [ai, 'manual1'] }, { token })
  expect(compared.body.data.summary).toContain('。有人工估价也有 AI 估价，差别包括估价师的判断。')
  const person = await read(token, 'manual1')
  fits('evaluation', 'reportGet', person)
  expect(person).toMatchObject({ mode: 'MANUAL', status: 'UNLOCKED', appraiser: { comment: '有绝版外观' } })
  expect(person).not.toHaveProperty('confidence')
  expect(person.other).toMatchObject({ mode: 'AI', orderId: ai, predictFen: report.price.predictFen })
  expect(person.other?.reason).toContain('有绝版外观')
  expect((await read(token, ai)).other?.reason).toBe(person.other?.reason)
  server.clock.advance(1000)
  await appraisal(report.price.predictFen, 2)
  expect((await read(token, 'manual1')).other).not.toHaveProperty('reason')
  expect((await read(token, 'manual1')).version).toBe(2)
})

test('a report of another format is refused in words, and the account can still be valued', async () => {
  const token = await newUser()
  const orderId = await submit(token, someAnswers(config))
  const stored = sql`update reports set body = body || '{"format": 2}' where order_id = ${orderId}`
  await stored.execute(db())
  const { status, body } = await get(token, orderId)
  expect([status, body.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(body.msg).toMatch(/^这份报告由其他版本的系统出具/)
  server.clock.advance(DAY)
  expect(await read(token, await opened(token, someAnswers(config)))).not.toHaveProperty('changed')
})

describe('the owner’s name of an account', () => {
  const call = (token: string, orderId: string, name: string) =>
    server.call('user', 'updateSettings', { account: { orderId, name } }, { token })

  test('is shown on records, report and comparison, for every report of the account, and to the owner only', async () => {
    const token = await newUser()
    const answers = someAnswers(config)
    const orderId = await opened(token, answers)
    const settings = (await call(token, orderId, ' 大号 ')).body.data
    expect(settings).not.toHaveProperty('account')
    server.clock.advance(DAY)
    const again = await submit(token, answers)
    const other = await submit(token, { ...someAnswers(config, 7) })
    expect((await read(token, again)).account.name).toBe('大号')
    const records = await server.call('evaluation', 'orderList', { tab: 'ALL' }, { token })
    expect(records.body.data.list.map(({ accountName }) => accountName)).toEqual([undefined, '大号', '大号'])
    const found = await server.call('evaluation', 'orderList', { tab: 'ALL', keyword: '大' }, { token })
    expect(found.body.data.total).toBe(2)
    const compared = await server.call('evaluation', 'contrastAnalysis', { orderIds: [again, other] }, { token })
    expect(compared.body.data.columns.map(({ name }) => name)).toEqual(['大号', undefined])
    expect(compared.body.data.summary).toContain('“大号”')
    const { shareToken = '' } = (await server.call('evaluation', 'reportImageShare', { orderId: again }, { token }))
      .body.data
    const shared = await server.call('evaluation', 'reportGet', { shareToken })
    expect(shared.body.data.account).not.toHaveProperty('name')
    await call(token, orderId, '')
    expect((await read(token, again)).account).not.toHaveProperty('name')
  })

  test('is validated like a nickname; another user’s report is not found', async () => {
    const token = await newUser()
    const orderId = await submit(token, someAnswers(config))
    for (const name of ['一', '十七个字的名字实在是太长了没有人看得完的', 'abc.com', '官 方 客 服']) {
      const { status, body } = await call(token, orderId, name)
      expect([status, body.data]).toMatchObject([400, { fields: [{ path: 'account.name' }] }])
    }
    expect((await call(await newUser(), orderId, '大号')).status).toBe(404)
  })
})

describe('documents', () => {
  const doc = async (key: Parameters<typeof server.call<'app', 'documentGet'>>[2]['key']) =>
    (await server.call('app', 'documentGet', { key })).body.data

  test.each([
    'USER_AGREEMENT',
    'PRIVACY',
    'VALUATION_NOTICE',
    'REFUND',
    'HELP_RULE',
    'MINOR',
    'ABOUT',
    'METHOD',
  ] as const)('%s is there, dated and clean', async (key) => {
    const { title, html, version, updatedAt } = await doc(key)
    expect(title.length).toBeGreaterThan(2)
    expect(version).toBe('1.0')
    expect(updatedAt).toBeGreaterThan(Date.UTC(2026, 0))
    expect(html).toContain('class="doc-')
    expect(html).not.toMatch(/<script|javascript:|\*\*|template:/i)
    expect(html.includes('本文为模板')).toBe(key !== 'METHOD')
  })

  test('the accuracy page shows the stored back-tests, and 样本不足 for other games', async () => {
    const none = await doc('ACCURACY')
    const listed = async () => (await server.call('evaluation', 'gameList', {})).body.data
    expect(none.more?.match(/还没有检验结果/g)).toHaveLength((await listed()).length)
    expect((await server.call('app', 'homeDataCount', {})).body.data).not.toHaveProperty('accuracyMedian')
    const measured = (gameId: string, accuracy: Backtest) =>
      db()
        .updateTable('models')
        .set({ accuracy: JSON.stringify(accuracy) })
        .where('game_id', '=', gameId)
        .execute()
    const score = { medianError: 0.094, coverage: 0.813 }
    const result: Backtest = {
      ...{ game: 'val', modelVersion: 'v', n: 160, refused: 4, ...score, baselines: {} },
      ...{ within10: 0.531, within20: 0.825, within30: 0.944, medianWidth: 0.36 },
      recent: { n: 60, medianError: 0.101, until: server.clock.now() },
    }
    await measured('val', result)
    const few = { ...result, n: 49, recent: { n: 49, medianError: 0.01, until: server.clock.now() } }
    await measured('naraka', few)
    const { html: front, more = '' } = await doc('ACCURACY')
    // first the chart of nominal and achieved coverage, also as text
    expect(front).toContain('alt="承诺覆盖率 80%；无畏契约区间覆盖率')
    expect(front).not.toContain('永劫无间')
    const html = front + more
    const shown = (share: number) => `${(Math.floor(share * 1000 + 0.5) / 10).toFixed(1)}%`
    const half = `±${shown(result.medianError)} 内`
    const shares = [result.within10, result.within20, result.within30, result.coverage].map(shown)
    for (const cell of [half, ...shares]) expect(html).toContain(`<td class="doc-td">${cell}</td>`)
    expect(html).toContain('样本不足：只有 49 笔')
    // one line per game before the details
    const line = ['无畏契约', half, ...[result.within20, result.coverage].map(shown)]
    expect(html.replace(/<[^>]+>\s*/g, '|').replace(/\|+/g, '|')).toContain(`|${line.join('|')}|`)
    expect(html).toContain('不代表真实行情')
    const counts = (await server.call('app', 'homeDataCount', {})).body.data
    expect(counts).toMatchObject({ accuracyMedian: result.medianError, synthetic: true })
    expect((await listed()).filter(({ accuracy }) => accuracy !== undefined)).toEqual([
      expect.objectContaining({ gameId: 'val', accuracy: result.recent.medianError, synthetic: true }),
    ])
    // figures of games without sales for a month are no longer current
    const { until } = result.recent
    expect([...(await publishedErrors(db(), until + 29 * DAY)).keys()]).toContain('val')
    expect((await publishedErrors(db(), until + 30 * DAY)).size).toBe(0)
  })
})
