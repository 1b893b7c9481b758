/** @group long */
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { CallGroup, CallOf } from '@/contract/calls'
import type { Answers, FormConfig } from '@/contract/form/types'
import { closenessText, keysOf } from '@/contract/labels'
import { schemas } from '@/contract/schemas'
import type { Report } from '@/contract/types'
import type { Backtest } from '../db/columns'
import { publishedErrors } from '../domains/models/backtests'
import { unlockReport } from '../domains/orders/unlock-report'
import { ownPrice } from '../domains/reports/appraised-price'
import { recompute } from '../domains/reports/recompute'
import { storeAppraisedReport } from '../domains/reports/store'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer, untilNoon } from './harness'
import { leastProcessorTime } from './processor'

const DAY = 86_400_000
let testDatabase: TestDatabase
let server: TestServer
let config: FormConfig
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['naraka', 'val'] })
  config = (await deps().games.find('naraka')).config
})
afterAll(async () => {
  await server.close()
  testDatabase.remove()
})
// limits count per day
beforeEach(() => server.clock.advance(2 * DAY))

let numbers = 0
const newUser = async () => {
  numbers += 1
  return (await server.login(`1380000${String(numbers).padStart(4, '0')}`)).token
}
const db = () => server.database.db
const deps = () => {
  if (!server.lifecycle.deps) throw new Error('not started')
  return server.lifecycle.deps
}

async function submit(token: string, answers: Answers, form = config): Promise<string> {
  const { gameId, schemaVersion } = form
  const req = { gameId, schemaVersion, answers, source: 'TYPED' as const }
  const { body } = await server.call('evaluation', 'submitAi', req, { token })
  if (!body.success) throw new Error(`${body.code} ${body.msg}`)
  return body.data.orderId
}
const unlock = (orderId: string) =>
  db()
    .transaction()
    .execute((tx) => unlockReport(tx, { orderId, by: 'COUPON', now: server.clock.now() }))
async function opened(token: string, answers: Answers): Promise<string> {
  const orderId = await submit(token, answers)
  expect(await unlock(orderId)).toBe(true)
  return orderId
}
const get = (token: string, orderId: string, without?: string) =>
  server.call('evaluation', 'reportGet', { orderId, ...(without && { without }) }, { token })
const read = async (token: string, orderId: string): Promise<Report> => (await get(token, orderId)).body.data
const sum = (lines: readonly { amountFen: number }[]) => lines.reduce((total, line) => total + line.amountFen, 0)

const fits = <R extends CallGroup>(group: R, name: CallOf<R>, data: unknown) => {
  const { res } = (schemas[group] as unknown as Record<CallOf<R>, { res: TSchema }>)[name]
  expect([...Value.Errors(res, data)]).toEqual([])
}

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

describe('contrast', () => {
  const compare = (token: string, orderIds: string[]) =>
    server.call('evaluation', 'contrastAnalysis', { orderIds }, { token })

  test('compares reports of one game and marks the better column', async () => {
    const token = await newUser()
    const account = someAnswers(config, 4)
    const poor = await submit(token, { ...account, redCount: 1, goldCount: 20 })
    const rich = await opened(token, { ...account, redCount: 30, goldCount: 200 })
    const { body } = await compare(token, [poor, rich])
    fits('evaluation', 'contrastAnalysis', body.data)
    const row = (label: string) => body.data.rows.find((r) => r.label === label)
    const label = config.fields.find(({ key }) => key === 'redCount')?.label ?? ''
    expect(row(label)).toMatchObject({ best: 1 })
    expect(row('参考成交价')).toMatchObject({ best: 1 })
    expect(row(`超过的${config.name}账号`)?.values[0]).toBe('解锁后可见')
    expect(body.data.summary.match(/。/g)).toHaveLength(2)
    expect(body.data.columns.map(({ orderId }) => orderId)).toEqual([poor, rich])
    expect(body.data.summary).toMatch(/^账号二参考成交价 ¥[\d,]+，比账号一高/)
    // also lists what the cheaper one has more of
    const cheaper = await submit(token, { ...account, redCount: 1, goldCount: 210 })
    const gold = config.fields.find(({ key }) => key === 'goldCount')?.label ?? ''
    const { summary } = (await compare(token, [rich, cheaper])).body.data
    expect(summary).toContain(`账号一在${label}上更多，账号二在${gold}上更多。`)
    // among three, one that is above another may be below the third
    const { rows } = (await compare(token, [poor, rich, cheaper])).body.data
    expect([label, gold].map((name) => rows.find((r) => r.label === name)?.best)).toEqual([1, 2])
  })

  test('blames nothing for the difference to an account without an answer', async () => {
    const { rareItems: _, ...account } = someAnswers(config, 4)
    const many = (config.dicts.naraka_item ?? []).slice(0, 3).map(({ v }) => v)
    const another = await newUser()
    const [few, full] = [await submit(another, account), await submit(another, { ...account, rareItems: many })]
    const text = (await compare(another, [few, full])).body.data.summary
    expect(text).toMatch(/^账号二参考成交价 ¥[\d,]+，比账号一高[^。]+。$/)
  })

  test('explains no difference of equal accounts at the same price', async () => {
    const token = await newUser()
    const account = someAnswers(config, 4)
    const alike = [await submit(token, account), await submit(token, { ...account, remark: '同一价格' })]
    const { summary } = (await compare(token, alike)).body.data
    expect(summary).toMatch(/^2 个账号的参考成交价相同，都是 ¥[\d,]+。/)
    expect(summary).not.toContain('更多')
  })

  test('claims no advantage if the price difference is due to facts that are not counted', async () => {
    const token = await newUser()
    const account = someAnswers(config, 4)
    const label = config.fields.find(({ key }) => key === 'redCount')?.label ?? ''
    const clean = await submit(token, { ...account, redCount: 8, realName: 're_auth_allowed' })
    const more = await submit(token, { ...account, redCount: 9, realName: 're_auth_denied' })
    const other = (await compare(token, [clean, more])).body.data
    const by = (name: string) => other.rows.find((r) => r.label === name)?.best
    expect([by('参考成交价'), by(label)]).toEqual([0, 1])
    expect(other.summary).not.toContain('更多')
  })

  test('refuses different games, reports of other users and fewer than two', async () => {
    const token = await newUser()
    const mine = await submit(token, someAnswers(config))
    const val = (await deps().games.find('val')).config
    const foreign = await submit(await newUser(), someAnswers(config))
    const mixed = await compare(token, [mine, await submit(token, someAnswers(val), val)])
    expect([mixed.status, mixed.body.data]).toMatchObject([400, { fields: [{ path: 'orderIds' }] }])
    expect((await compare(token, [mine, foreign])).status).toBe(404)
    expect((await compare(token, [mine])).status).toBe(400)
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
