import { createHmac } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { Answers, FormConfig } from '@/contract/form/types'
import { isRequired } from '@/contract/form/validate'
import { keysOf, taskFailText } from '@/contract/labels'
import { schemas } from '@/contract/schemas'
import type { AutoTask, Req } from '@/contract/types'
import { recordStaffSale, screenStaffSale } from '../domains/followups/order-sale'
import { reporterOf } from '../domains/market/reporter-hashes'
import { finish } from '../domains/valuations/collection/finish-task'
import { sandboxAccount } from '../providers/collector/sandbox'
import { createTestDatabase, setupServer, startServer, type TestDatabase, type TestServer, untilNoon } from './harness'

const MINUTE = 60_000
const DAY = 86_400_000
let ys: FormConfig
let hok: FormConfig
const server = setupServer({ games: ['ys', 'hok', 'val'] })
beforeAll(async () => {
  const rows = await server.database.db.selectFrom('games').select('config').execute()
  const byId = new Map(rows.map(({ config }) => [config.gameId, config]))
  ys = byId.get('ys') as FormConfig
  hok = byId.get('hok') as FormConfig
})
// limits count per day
beforeEach(() => server.clock.advance(2 * DAY))

let numbers = 0
const newUser = () => server.login(`1360000${String(++numbers).padStart(4, '0')}`)

const create = async (token: string, more: Partial<Req<'evaluation', 'taskCreate'>> = {}) =>
  (await server.call('evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR', ...more }, { token })).body.data
const record = async (token: string, taskId: string) =>
  (await server.call('evaluation', 'taskRecord', { taskId }, { token })).body.data
const act = (token: string, taskId: string, action: 'CANCEL' | 'REFRESH_QR' | 'FORGET') =>
  server.call('evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR', taskId, action }, { token })
const choose = async (taskId: string, result: string, account?: string) =>
  (
    await server.app.inject({ method: 'POST', url: '/sandbox/collector', payload: { taskId, result, account } })
  ).json() as { accepted: boolean }

const ids: Answers = { uid: '812345678', campId: '548123090' }
/** Fields of the form before a collection: required ones that the collection does not supply. */
const asked = (config: FormConfig): Answers =>
  Object.fromEntries(
    config.fields
      .filter((f) => !f.autoFill && isRequired(f, 'AI'))
      .map((f) => [f.key, f.options?.[0]?.v ?? ids[f.key]]),
  )
const submit = (token: string, taskId: string, answers: Answers = asked(ys), config = ys) =>
  server.call(
    'evaluation',
    'submitAi',
    { gameId: config.gameId, schemaVersion: config.schemaVersion, answers, taskId, source: 'AUTH' },
    { token },
  )
const statusOf = async (token: string, orderId: string) =>
  (await server.call('pay', 'getInfo', { orderId }, { token })).body.data.status
const events = async (taskId: string) =>
  (
    await server.database.db
      .selectFrom('collection_task_events')
      .select('to_status')
      .where('task_id', '=', taskId)
      .orderBy('id')
      .execute()
  ).map((e) => e.to_status)
const fits = (task: AutoTask) => {
  const { res } = schemas.evaluation.taskRecord as { res: TSchema }
  expect([...Value.Errors(res, task)]).toEqual([])
}

test('from consent to report: every step of the line, the order valued on its own, source AUTH', async () => {
  const { token } = await newUser()
  const task = await create(token)
  fits(task)
  expect(task).toMatchObject({
    status: 'WAIT_SCAN',
    step: '扫码',
    steps: ['扫码', '确认', '读取', '估价'],
    pollAfterMs: 3000,
    retryable: false,
  })
  expect(task.qrImage).toMatch(/^data:image\/png;base64,/)
  expect([task.qrExpireAt, task.expireAt]).toEqual(
    [server.clock.now() + 180_000, server.clock.now() + 600_000].map((at) => expect.closeTo(at, -5)),
  )
  const placed = await submit(token, task.taskId)
  expect(placed.body.data.status).toBe('WAIT_AUTH')
  await choose(task.taskId, 'SCANNED')
  expect(await record(token, task.taskId)).toMatchObject({ status: 'SCANNED', step: '确认' })
  await choose(task.taskId, 'COLLECTING')
  const half = await record(token, task.taskId)
  expect(half).toMatchObject({ status: 'COLLECTING', step: '读取', progress: 65 })
  expect(half).not.toHaveProperty('qrImage')
  expect(await choose(task.taskId, 'SUCCESS', 'rich')).toEqual({ accepted: true })
  const done = await record(token, task.taskId)
  fits(done)
  expect(done).toMatchObject({ status: 'SUCCESS', progress: 100, pollAfterMs: 0, orderId: placed.body.data.orderId })
  expect(done.answers).toEqual(sandboxAccount(ys, 'rich'))
  expect(await events(task.taskId)).toEqual(['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING', 'SUCCESS'])
  const { orderId } = placed.body.data
  expect(await statusOf(token, orderId)).toBe('REPORTED')
  const report = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  const stored = await server.database.db
    .selectFrom('reports')
    .select('inputs')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect([stored.inputs.source, report.price.predictFen > 0]).toEqual(['AUTH', true])
  const message = await server.database.db
    .selectFrom('messages')
    .select(['type', 'link'])
    .where('biz_id', '=', report.reportNo)
    .executeTakeFirstOrThrow()
  expect(message).toEqual({ type: 'REPORT_READY', link: `/pages/evaluation/report/index?orderId=${orderId}` })
})

test('the rich sandbox account is worth more than the normal one, and that more than the new one', async () => {
  const prices: number[] = []
  for (const kind of ['rich', 'normal', 'new']) {
    const { token } = await newUser()
    const task = await create(token)
    const { orderId } = (await submit(token, task.taskId)).body.data
    await choose(task.taskId, 'SUCCESS', kind)
    prices.push((await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data.price.predictFen)
  }
  expect(prices).toEqual([...prices].sort((a, b) => b - a))
  expect(new Set(prices).size).toBe(3)
})

test('the asking price whose use was allowed before a collection becomes that of the account collected', async () => {
  const { db } = server.database
  const read = async (listing?: { askFen: number; consent?: true }) => {
    const { token } = await newUser()
    const { taskId } = await create(token)
    const { gameId, schemaVersion } = ys
    const req = {
      gameId,
      schemaVersion,
      answers: asked(ys),
      taskId,
      source: 'AUTH' as const,
      ...(listing && { listing }),
    }
    const { body } = await server.call('evaluation', 'submitAi', req, { token })
    if (!body.success) return body.code
    await choose(taskId, 'SUCCESS', 'rich')
    const report = (await server.call('evaluation', 'reportGet', { orderId: body.data.orderId }, { token })).body.data
    expect(report.asking?.fen).toBe(listing?.askFen)
    return report.price
  }
  const listings = () => db.selectFrom('sales').selectAll().where('source', '=', 'pasted-listing').execute()
  const price = await read()
  expect(await listings()).toEqual([])
  const askFen = typeof price === 'object' ? price.listFen : 0
  await read({ askFen })
  expect(await listings()).toEqual([])
  await read({ askFen, consent: true })
  expect(await listings()).toMatchObject([{ kind: 'ASKING', price_fen: askFen, game_id: 'ys' }])
  expect(await db.selectFrom('collection_tasks').select('id').where('listing_fen', 'is not', null).execute()).toEqual(
    [],
  )
  expect(await read({ askFen: 1 })).toBe('VALIDATION_FAILED')
})

const listed = (token: string, taskId: string, askFen: number, answers: Answers = asked(ys)) =>
  server.call(
    'evaluation',
    'submitAi',
    {
      ...{ gameId: 'ys', schemaVersion: ys.schemaVersion, answers, taskId, source: 'AUTH' as const },
      listing: { askFen, consent: true },
    },
    { token },
  )

test.each([
  ['FAILED', (_token: string, taskId: string) => choose(taskId, 'TIMEOUT')],
  ['CANCELED', (token: string, taskId: string) => act(token, taskId, 'CANCEL')],
  [
    'EXPIRED',
    async () => {
      server.clock.advance(11 * MINUTE)
      await server.lifecycle.jobRunner?.runAll()
    },
  ],
])('%s: a collection that ends without a valuation keeps no asking price', async (status, end) => {
  const { token } = await newUser()
  const { taskId } = await create(token)
  await listed(token, taskId, 320_000)
  const row = () =>
    server.database.db
      .selectFrom('collection_tasks')
      .select(['status', 'listing_fen'])
      .where('id', '=', taskId)
      .executeTakeFirst()
  expect(await row()).toMatchObject({ listing_fen: 320_000 })
  await end(token, taskId)
  expect(await row()).toEqual({ status, listing_fen: null })
})

/** What the market asks for an account of the sandbox. */
async function listFenOf(account: string): Promise<number> {
  const { token } = await newUser()
  const { taskId } = await create(token)
  const { orderId } = (await submit(token, taskId)).body.data
  await choose(taskId, 'SUCCESS', account)
  return (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data.price.listFen ?? 0
}
const pasted = (table: 'sales' | 'held_sales') =>
  server.database.db
    .selectFrom(table)
    .select(['id', 'price_fen', 'attributes'])
    .where('source', '=', 'pasted-listing')
    .orderBy('id')
    .execute()

test.each([
  ['arrives', false],
  ['is corrected', true],
])('an asking price that %s while the account is being valued is the one stored', async (_, early) => {
  const models = server.lifecycle.deps?.models
  if (!models) throw new Error('not ready')
  const fen = await listFenOf('rich')
  const { token } = await newUser()
  const { taskId } = await create(token)
  await (early ? listed(token, taskId, fen) : submit(token, taskId))
  const late = Math.round(1.1 * fen)
  // after the task was read, before the transaction
  const between = jest.spyOn(models, 'active').mockImplementationOnce(async (config) => {
    expect((await record(token, taskId)).status).toBe('VALUING')
    await listed(token, taskId, late, { ...asked(ys), server: 'bili' })
    return models.active(config)
  })
  await choose(taskId, 'SUCCESS', 'rich')
  expect([between.mock.calls.length > 0, (await record(token, taskId)).status]).toEqual([true, 'SUCCESS'])
  expect((await pasted('sales')).filter(({ price_fen }) => price_fen === late)).toMatchObject([
    { attributes: { server: 'bili' } },
  ])
  await server.database.db.deleteFrom('sales').where('source', '=', 'pasted-listing').execute()
})

test('answers typed during a collection never count as read', async () => {
  const { token } = await newUser()
  const task = await create(token)
  const { orderId } = (await submit(token, task.taskId, { ...asked(ys), primogem: 999_999 })).body.data
  await choose(task.taskId, 'SUCCESS', 'new')
  const { db } = server.database
  const { answers } = await db
    .selectFrom('orders')
    .select('answers')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(answers.primogem).toBe(sandboxAccount(ys, 'new').primogem)
})

test('a collection by public id needs no scan, refuses a wrong id and is named in the report', async () => {
  const { token } = await newUser()
  const request = { gameId: 'hok', loginType: 'PUBLIC_ID' }
  const bad = await server.call('evaluation', 'taskCreate', { ...request, answers: { campId: '12ab' } }, { token })
  expect([bad.status, bad.body.data]).toEqual([
    400,
    { fields: [{ path: 'answers.campId', msg: '营地ID格式不对，应为 6–12 位数字' }] },
  ])
  const task = await create(token, { ...request, answers: asked(hok) })
  expect(task).toMatchObject({ status: 'COLLECTING', steps: ['查找', '读取', '估价'] })
  expect(task).not.toHaveProperty('qrImage')
  const { orderId } = (await submit(token, task.taskId, asked(hok), hok)).body.data
  await choose(task.taskId, 'SUCCESS')
  expect(await events(task.taskId)).toEqual(['CREATED', 'COLLECTING', 'VALUING', 'SUCCESS'])
  const { inputs } = await server.database.db
    .selectFrom('reports')
    .select('inputs')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  expect(inputs.source).toBe('PUBLIC_ID')
})

test('a game without collection offers no read', async () => {
  const { token } = await newUser()
  const answer = await server.call('evaluation', 'taskCreate', { gameId: 'val', loginType: 'QR' }, { token })
  expect([answer.status, answer.body.code]).toEqual([400, 'VALIDATION_FAILED'])
})

test('collected answers submitted later count as AUTH; corrected ones count as typed, and both are kept', async () => {
  const { token } = await newUser()
  const task = await create(token)
  await choose(task.taskId, 'SUCCESS', 'normal')
  const read = (await record(token, task.taskId)).answers ?? {}
  expect((await record(token, task.taskId)).status).toBe('SUCCESS')
  const first = await submit(token, task.taskId, { ...asked(ys), ...read })
  expect(first.body.data.status).toBe('REPORTED')
  expect((await submit(token, task.taskId, { ...asked(ys), ...read })).body.data.orderId).toBe(first.body.data.orderId)
  const better = await submit(token, task.taskId, { ...asked(ys), ...read, ar: 60, yellow: Number(read.yellow) + 40 })
  expect(better.body.data.status).toBe('REPORTED')
  const { db } = server.database
  const sources = await db
    .selectFrom('orders')
    .select(['id', 'source'])
    .where('collection_task_id', '=', task.taskId)
    .execute()
  expect(Object.fromEntries(sources.map((o) => [o.id, o.source]))).toEqual({
    [first.body.data.orderId]: 'AUTH',
    [better.body.data.orderId]: 'TYPED',
  })
  const kept = await db
    .selectFrom('collection_tasks')
    .select('corrections')
    .where('id', '=', task.taskId)
    .executeTakeFirstOrThrow()
  expect(kept.corrections).toMatchObject({ yellow: read.yellow })
})

const sandboxWord: Partial<Record<string, string>> = {
  USER_REFUSED: 'REFUSED',
  PRIVACY_HIDDEN: 'HIDDEN',
  SERVER_MAINTAIN: 'MAINTAIN',
  READ_TIMEOUT: 'TIMEOUT',
}

test.each(keysOf(taskFailText))('%s: its own sentence, no free try lost, the order may try again', async (code) => {
  const { token, userId } = await newUser()
  const left = async () =>
    (await server.call('evaluation', 'gameConfig', { gameId: 'ys', mode: 'AI' }, { token })).body.data.freeLeft
  const task = await create(token)
  const { orderId } = (await submit(token, task.taskId)).body.data
  expect(await left()).toBe(2)
  await choose(task.taskId, sandboxWord[code] ?? code)
  const failed = await record(token, task.taskId)
  fits(failed)
  expect(failed).toMatchObject({
    status: 'FAILED',
    failCode: code,
    failMsg: taskFailText[code],
    retryable: code !== 'SAMPLE_INSUFFICIENT',
  })
  expect([await left(), await statusOf(token, orderId)]).toEqual([3, 'WAIT_AUTH'])
  const again = await create(token, { orderId })
  expect(again.taskId).not.toBe(task.taskId)
  await choose(again.taskId, 'SUCCESS')
  expect([await statusOf(token, orderId), await left()]).toEqual(['REPORTED', 2])
  expect(
    await server.database.db.selectFrom('orders').select('id').where('user_id', '=', userId).execute(),
  ).toHaveLength(1)
})

test('a valuation that waits over midnight counts on the day of its price', async () => {
  server.clock.advance(untilNoon(server, 1) + DAY / 2 - 2 * MINUTE)
  const { token } = await newUser()
  const task = await create(token)
  await submit(token, task.taskId)
  server.clock.advance(4 * MINUTE)
  const left = async () =>
    (await server.call('evaluation', 'gameConfig', { gameId: 'ys', mode: 'AI' }, { token })).body.data.freeLeft
  // its price is not checked against the limit, so that it counts before
  expect(await left()).toBe(2)
  await choose(task.taskId, 'SUCCESS')
  expect(await left()).toBe(2)
})

test('a game without samples: INSUFFICIENT on both, and no free try', async () => {
  const { db } = server.database
  const row = await db.selectFrom('games').selectAll().where('game_id', '=', 'ys').executeTakeFirstOrThrow()
  const config = { ...ys, gameId: 'fresh' }
  await db
    .insertInto('games')
    .values({ ...row, game_id: 'fresh', config: JSON.stringify(config) })
    .execute()
  const { token } = await newUser()
  const task = await create(token, { gameId: 'fresh' })
  const { orderId } = (await submit(token, task.taskId, asked(ys), config)).body.data
  await choose(task.taskId, 'SUCCESS')
  expect(await record(token, task.taskId)).toMatchObject({
    status: 'INSUFFICIENT',
    failCode: 'SAMPLE_INSUFFICIENT',
    retryable: false,
  })
  expect(await statusOf(token, orderId)).toBe('INSUFFICIENT')
})

test('hidden data is PRIVACY_HIDDEN; data unknown to the form is not stored', async () => {
  const { onCollected } = await import('../domains/valuations/collection/collector-events')
  const { token } = await newUser()
  const task = await create(token)
  const deps = server.lifecycle.deps
  if (!deps) throw new Error('not ready')
  const answers = { ...sandboxAccount(ys, 'normal'), hacked: 'x', server: 'bilibili', ar: 9999 } as Answers
  expect(await onCollected(deps, task.taskId, { kind: 'SUCCESS', answers: { chars: [] }, raw: {} })).toBe(true)
  expect(await record(token, task.taskId)).toMatchObject({ status: 'FAILED', failCode: 'PRIVACY_HIDDEN' })
  const next = await create(token)
  const { ar: _, ...rest } = sandboxAccount(ys, 'normal')
  const needsAr = ys.fields.some((f) => f.key === 'ar' && f.required === true)
  await onCollected(deps, next.taskId, { kind: 'SUCCESS', answers, raw: {} })
  const after = await record(token, next.taskId)
  expect(needsAr ? after.failCode : after.answers).toEqual(needsAr ? 'PRIVACY_HIDDEN' : rest)
})

test('twenty parallel requests create one task; another game or an ended task gets a new one', async () => {
  const { token } = await newUser()
  const tasks = await Promise.all(Array.from({ length: 20 }, () => create(token)))
  expect(new Set(tasks.map((t) => t.taskId)).size).toBe(1)
  const other = await create(token, { gameId: 'hok', loginType: 'PUBLIC_ID' })
  expect(other.taskId).not.toBe(tasks[0]?.taskId)
  server.clock.advance(10 * MINUTE)
  expect((await create(token)).taskId).not.toBe(tasks[0]?.taskId)
  expect((await record(token, tasks[0]?.taskId ?? '')).status).toBe('EXPIRED')
})

test('a user may begin thirty collections a day', async () => {
  server.clock.advance(untilNoon(server, 1))
  const { token, userId } = await newUser()
  const { taskId } = await create(token)
  const { sql } = await import('kysely')
  await sql`insert into collection_tasks (id, user_id, game_id, login_type, schema_version, status, lookup, created_at, changed_at,
      expire_at) select id || n, user_id, game_id, login_type, schema_version, 'FAILED', lookup, created_at, changed_at,
      expire_at from collection_tasks, generate_series(1, 29) n where id = ${taskId}`.execute(server.database.db)
  // the running one is returned, not begun
  expect((await create(token)).taskId).toBe(taskId)
  await act(token, taskId, 'CANCEL')
  const begin = () => server.call('evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR' }, { token })
  // the clients replace the text of a call that is too busy
  const used = { code: 'FREE_QUOTA_USED', msg: '今天的授权读取次数已用完，请明天再来' }
  expect(await begin()).toMatchObject({ status: 200, body: used })
  // while the clock was ahead
  await sql`update collection_tasks set created_at = created_at + ${3 * DAY}::bigint where user_id = ${userId}`.execute(
    server.database.db,
  )
  expect((await begin()).body.code).toBe('OK')
  server.clock.advance(DAY)
  expect((await begin()).body.code).toBe('OK')
})

test('the code lives 180 s and is renewed three times, then QR_EXPIRED; polling slows after a minute', async () => {
  const { token } = await newUser()
  const first = await create(token)
  const codes = [first.qrUrl]
  server.clock.advance(MINUTE)
  expect((await record(token, first.taskId)).pollAfterMs).toBe(5000)
  expect((await record(token, first.taskId)).qrUrl).toBe(first.qrUrl)
  const { db } = server.database
  for (let n = 1; n <= 3; n++) {
    // the task's ten minutes end before the fourth QR code expires
    await db
      .updateTable('collection_tasks')
      .set({ expire_at: server.clock.now() + DAY })
      .where('id', '=', first.taskId)
      .execute()
    server.clock.advance(180_000)
    const [a, b] = await Promise.all([record(token, first.taskId), record(token, first.taskId)])
    expect([a.status, b.status, a.qrUrl]).toEqual(['WAIT_SCAN', 'WAIT_SCAN', b.qrUrl])
    codes.push(a.qrUrl)
  }
  expect(new Set(codes).size).toBe(4)
  server.clock.advance(180_000)
  expect(await record(token, first.taskId)).toMatchObject({ status: 'FAILED', failCode: 'QR_EXPIRED', retryable: true })
})

test('cancelling a task cancels its order; late events change nothing, and it cannot be cancelled twice', async () => {
  const { token } = await newUser()
  const task = await create(token)
  const { orderId } = (await submit(token, task.taskId)).body.data
  expect((await act(token, task.taskId, 'CANCEL')).body.data.status).toBe('CANCELED')
  expect(await choose(task.taskId, 'SUCCESS')).toEqual({ accepted: false })
  expect([await statusOf(token, orderId), (await record(token, task.taskId)).status]).toEqual(['CANCELED', 'CANCELED'])
  expect((await act(token, task.taskId, 'CANCEL')).body.code).toBe('AUTH_TASK_EXPIRED')
  expect((await submit(token, task.taskId)).body.code).toBe('AUTH_TASK_EXPIRED')
})

test('of a concurrent event, cancellation and time-out exactly one wins, and the order agrees', async () => {
  const outcomes = new Set<string>()
  for (let i = 0; i < 9; i++) {
    const { token } = await newUser()
    const task = await create(token)
    const { orderId } = (await submit(token, task.taskId)).body.data
    const expired = i % 3 === 2
    if (expired) server.clock.advance(10 * MINUTE)
    const race = [
      () => choose(task.taskId, 'SUCCESS'),
      () => act(token, task.taskId, 'CANCEL'),
      () => server.lifecycle.jobRunner?.runAll(),
      () => choose(task.taskId, 'REFUSED'),
      () => record(token, task.taskId),
    ]
    await Promise.all([...race.slice(i % 5), ...race.slice(0, i % 5)].map((run) => run()))
    const { status } = await record(token, task.taskId)
    const order = await statusOf(token, orderId)
    const fitting: Record<string, string> = {
      SUCCESS: 'REPORTED',
      CANCELED: 'CANCELED',
      FAILED: 'WAIT_AUTH',
      EXPIRED: 'WAIT_AUTH',
    }
    expect([status, order]).toEqual([status, fitting[status]])
    expect((await events(task.taskId)).filter((s) => s in fitting)).toEqual([status])
    if (expired) expect(status).toBe('EXPIRED')
    outcomes.add(status)
    server.clock.advance(DAY)
  }
  expect(outcomes.size).toBeGreaterThan(1)
})

test('a submit concurrent with the end of the collection gives one order and one report', async () => {
  for (let i = 0; i < 4; i++) {
    const { token, userId } = await newUser()
    const task = await create(token)
    const [, a, b] = await Promise.all([
      choose(task.taskId, 'SUCCESS'),
      submit(token, task.taskId),
      submit(token, task.taskId),
    ])
    expect(new Set([a, b].map((answer) => answer.body.data.orderId)).size).toBe(1)
    expect(await statusOf(token, a.body.data.orderId)).toBe('REPORTED')
    const { db } = server.database
    expect(await db.selectFrom('reports').select('report_no').where('user_id', '=', userId).execute()).toHaveLength(1)
  }
})

test('submitting again after the collection ended returns the same order', async () => {
  const { token } = await newUser()
  const task = await create(token)
  const first = (await submit(token, task.taskId)).body.data
  await choose(task.taskId, 'SUCCESS')
  const again = (await submit(token, task.taskId)).body.data
  expect(again).toEqual({ orderId: first.orderId, status: 'REPORTED' })
})

/** A collection whose data has arrived and whose process died before the valuation, so that the job is to finish it. */
async function abandonedValuation(token: string) {
  const { taskId } = await create(token)
  const { orderId } = (await submit(token, taskId)).body.data
  const now = server.clock.now()
  await server.database.db
    .updateTable('collection_tasks')
    .set({ status: 'VALUING', features: JSON.stringify(sandboxAccount(ys, 'normal')), read_at: now, changed_at: now })
    .where('id', '=', taskId)
    .execute()
  server.clock.advance(30_000)
  return { taskId, orderId }
}

test('the next run of the jobs finishes the work of a process that died after the data arrived', async () => {
  const { token } = await newUser()
  const { taskId, orderId } = await abandonedValuation(token)
  await Promise.all([
    server.lifecycle.jobRunner?.runAll(),
    server.lifecycle.deps && finish(server.lifecycle.deps, taskId),
  ])
  expect([(await record(token, taskId)).status, await statusOf(token, orderId)]).toEqual(['SUCCESS', 'REPORTED'])
})

/** Every text in every table, as one string. */
async function everything(): Promise<string> {
  const { db } = server.database
  const { sql } = await import('kysely')
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('models', 'games', 'form_configs')`.execute(db)
  const texts: string[] = []
  for (const { name } of rows)
    texts.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db)).rows))
  return texts.join('\n')
}

test('撤销授权并删除采集数据 leaves no read data in any table; the report is withdrawn, its price stays', async () => {
  const { onCollected } = await import('../domains/valuations/collection/collector-events')
  const { token } = await newUser()
  const task = await create(token, { answers: { uid: '877665544' } })
  const { orderId } = (await submit(token, task.taskId)).body.data
  const primogem = 87_654
  const answers = { ...sandboxAccount(ys, 'normal'), primogem }
  const deps = server.lifecycle.deps
  if (!deps) throw new Error('not ready')
  await onCollected(deps, task.taskId, { kind: 'SUCCESS', answers, raw: { secret: 'raw-of-this-read', primogem } })
  const before = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  // the owner tells a price that waits for staff, and corrects it
  const { db } = server.database
  const soldAt = server.clock.now()
  const told = async (times: number) => {
    const sale = { outcome: 'SOLD' as const, soldFen: Math.round(times * before.price.predictFen), soldAt }
    await server.call('sale', 'report', { orderId, consent: true, ...sale }, { token })
    return db.selectFrom('held_sales').select('price_fen').where('source', '=', 'follow-up').execute()
  }
  expect(await told(6)).toHaveLength(1)
  expect(await told(1)).toEqual([])
  // as a separate number: five digits may occur in a hash by chance
  const traces = [/\b87654\b/, /raw-of-this-read/, /877665544/]
  const stored = await everything()
  for (const trace of traces) expect(stored).toMatch(trace)
  const gone = (await act(token, task.taskId, 'FORGET')).body.data
  expect([gone.forgotten, gone.answers]).toEqual([true, undefined])
  const left = await everything()
  for (const trace of traces) expect(left).not.toMatch(trace)
  const after = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  expect([after.status, after.price, after.breakdown]).toEqual(['REVOKED', before.price, []])
  expect((await submit(token, task.taskId, { ...asked(ys), ar: 60 })).body.code).toBe('AUTH_TASK_EXPIRED')
})

test('deleting the data withdraws the asking price of this account, used or held, and no other', async () => {
  const { db } = server.database
  await db.deleteFrom('sales').where('source', '=', 'pasted-listing').execute()
  const { token } = await newUser()
  const collect = async (account: string, ratio: number) => {
    const askFen = Math.round(ratio * (await listFenOf(account)))
    const { taskId } = await create(token)
    await listed(token, taskId, askFen)
    await choose(taskId, 'SUCCESS', account)
    return { taskId, askFen }
  }
  const prices = async () =>
    [...(await pasted('sales')), ...(await pasted('held_sales'))].map(({ price_fen }) => price_fen)
  const [used, kept, held] = [await collect('rich', 1), await collect('normal', 1), await collect('new', 6)]
  expect(await prices()).toEqual([used.askFen, kept.askFen, held.askFen])
  for (const { taskId } of [used, held]) await act(token, taskId, 'FORGET')
  expect(await prices()).toEqual([kept.askFen])
  // so that the model that learned from it is replaced
  expect(await db.selectFrom('training_orders').select('game_id').execute()).toHaveLength(1)
  await db.deleteFrom('sales').where('source', '=', 'pasted-listing').execute()
})

test('deleting the data of a collection of more than 180 days ago still withdraws its price and its reports', async () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  const { db, encryption } = deps
  const mobile = '13600009999'
  const { token, userId } = await server.login(mobile)
  const collect = async (account: string) => {
    const askFen = await listFenOf(account)
    const { taskId } = await create(token)
    const { orderId } = (await listed(token, taskId, askFen)).body.data
    await choose(taskId, 'SUCCESS', account)
    return { taskId, orderId }
  }
  const sales = db.selectFrom('sales').select('id').orderBy('id')
  const mine = () => sales.where('reporter', '=', reporterOf(encryption, userId)).execute()
  const [gone, kept] = [await collect('rich'), await collect('normal')]
  const learned = await mine()
  expect(learned).toHaveLength(2)
  server.clock.advance(181 * DAY)
  await server.lifecycle.jobRunner?.runAll()
  const { token: later } = await server.login(mobile)
  await act(later, gone.taskId, 'FORGET')
  expect(await mine()).toEqual(learned.slice(1))
  const reports = db.selectFrom('reports').select(['status', sql<unknown>`body -> 'breakdown'`.as('lines')])
  expect(await reports.where('order_id', '=', gone.orderId).execute()).toEqual([{ status: 'REVOKED', lines: [] }])
  expect(await reports.where('order_id', '=', kept.orderId).execute()).not.toMatchObject([{ status: 'REVOKED' }])
  await db.deleteFrom('sales').where('source', '=', 'pasted-listing').execute()
})

test('deleting the data releases the coupon of a begun payment', async () => {
  const { token, userId } = await newUser()
  const task = await create(token)
  const { orderId } = (await submit(token, task.taskId)).body.data
  await choose(task.taskId, 'SUCCESS')
  const { db } = server.database
  const coupon = { coupon_id: 'forget', template_id: 'report-1', user_id: userId, nth: 9, status: 'UNUSED' as const }
  const period = { start_at: 0, end_at: server.clock.now() + DAY, received_at: 0, used_at: null, order_id: null }
  await db
    .insertInto('user_coupons')
    .values({ ...coupon, ...period })
    .execute()
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: 'forget' }, { token })
  const state = async () =>
    (await db.selectFrom('user_coupons').select('status').where('coupon_id', '=', 'forget').executeTakeFirstOrThrow())
      .status
  expect(await state()).toBe('LOCKED')
  await act(token, task.taskId, 'FORGET')
  expect([await statusOf(token, orderId), await state()]).toEqual(['EXPIRED', 'UNUSED'])
})

test('deleting the data before its valuation ends task and order; the job values nothing', async () => {
  const { token } = await newUser()
  const { taskId, orderId } = await abandonedValuation(token)
  expect((await act(token, taskId, 'FORGET')).body.data).toMatchObject({ status: 'CANCELED', forgotten: true })
  await server.lifecycle.jobRunner?.runAll()
  expect([(await record(token, taskId)).status, await statusOf(token, orderId)]).toEqual(['CANCELED', 'CANCELED'])
})

test('data deleted while its answers are being submitted does not come back', async () => {
  const { token, userId } = await newUser()
  const task = await create(token)
  await choose(task.taskId, 'SUCCESS')
  const models = server.lifecycle.deps?.models
  if (!models) throw new Error('not ready')
  // after the answers were read, before the transaction
  const between = jest.spyOn(models, 'active').mockImplementationOnce(async (config) => {
    await act(token, task.taskId, 'FORGET')
    return models.active(config)
  })
  expect((await submit(token, task.taskId)).body.code).toBe('AUTH_TASK_EXPIRED')
  expect(between).toHaveBeenCalled()
  const { db } = server.database
  expect(await db.selectFrom('orders').select('id').where('user_id', '=', userId).execute()).toEqual([])
})

test('a price compared with the market just before the data is deleted is not learned, whoever recorded it', async () => {
  const { token } = await newUser()
  const { taskId } = await create(token)
  const { orderId } = (await submit(token, taskId)).body.data
  await choose(taskId, 'SUCCESS')
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not ready')
  const { models, db } = deps
  const { price } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  const sale = { soldFen: price.predictFen, soldAt: server.clock.now() }
  const screened = await screenStaffSale(deps, orderId, sale)
  const between = jest.spyOn(models, 'inUse').mockImplementationOnce(async (config) => {
    await act(token, taskId, 'FORGET')
    return models.inUse(config)
  })
  const told = await server.call('sale', 'report', { orderId, consent: true, outcome: 'SOLD', ...sale }, { token })
  expect([between.mock.calls.length > 0, told.body.data.answer?.soldFen]).toEqual([true, price.predictFen])
  const stored = async () => {
    const read = (table: 'sales' | 'held_sales') =>
      db.selectFrom(table).select('channel').where('at', '=', sale.soldAt).where('game_id', '=', 'ys').execute()
    return [...(await read('sales')), ...(await read('held_sales'))]
  }
  expect(await stored()).toEqual([])
  await db.transaction().execute((tx) => recordStaffSale(tx, orderId, { sale, screened, now: sale.soldAt }))
  expect([screened?.priceFen, await stored()]).toEqual([price.predictFen, []])
})

test('deleting the data during a collection stops the collection', async () => {
  const { token } = await newUser()
  const task = await create(token)
  expect((await act(token, task.taskId, 'FORGET')).body.data).toMatchObject({ status: 'CANCELED', forgotten: true })
})

test.each(['CANCEL', 'FORGET'] as const)(
  '%s is recorded for the collector with the change, and told later',
  async (action) => {
    const { token } = await newUser()
    const collector = server.lifecycle.deps?.collector
    if (!collector) throw new Error('not ready')
    const told = jest.spyOn(collector, 'deleteCollection').mockClear()
    const { taskId } = await create(token)
    await act(token, taskId, action)
    const { db } = server.database
    const recorded = () => db.selectFrom('deletion_outbox').select(['kind', 'ref']).where('ref', '=', taskId).execute()
    expect(await recorded()).toEqual([{ kind: 'READ', ref: taskId }])
    await server.lifecycle.jobRunner?.runAll()
    expect(await recorded()).toEqual([])
    expect(told).toHaveBeenCalledWith(taskId)
  },
)

test('a collection cancelled before the collector has answered is deleted there', async () => {
  const { token } = await newUser()
  const collector = server.lifecycle.deps?.collector
  if (!collector) throw new Error('not ready')
  const began = collector.begin
  const begin = jest.spyOn(collector, 'begin').mockImplementationOnce(async (read) => {
    await act(token, read.taskId, 'CANCEL')
    return began(read)
  })
  const deleted = jest.spyOn(collector, 'deleteCollection')
  const task = await create(token)
  expect([begin.mock.calls.length, task.status]).toEqual([1, 'CANCELED'])
  await server.lifecycle.jobRunner?.runAll()
  expect(deleted).toHaveBeenCalledWith(task.taskId)
})

test.each([
  ['COLLECTING', 'COLLECTING'],
  ['SUCCESS', 'SUCCESS'],
])('a collection whose event %s arrives before the collector has answered keeps its number', async (result, status) => {
  const { token } = await newUser()
  const collector = server.lifecycle.deps?.collector
  if (!collector) throw new Error('not ready')
  const began = collector.begin
  jest.spyOn(collector, 'begin').mockImplementationOnce(async (read) => {
    const begun = await began(read)
    expect(await choose(read.taskId, result, 'rich')).toEqual({ accepted: true })
    return begun
  })
  const deleted = jest.spyOn(collector, 'deleteCollection').mockClear()
  const task = await create(token)
  expect(task.status).toBe(status)
  await server.lifecycle.jobRunner?.runAll()
  expect(deleted).not.toHaveBeenCalled()
  const stored = server.database.db.selectFrom('collection_tasks').select('ref').where('id', '=', task.taskId)
  expect(await stored.executeTakeFirst()).toEqual({ ref: task.taskId })
})

test('raw data is kept 7 days, features 180', async () => {
  const { token } = await newUser()
  const task = await create(token)
  const { orderId } = (await submit(token, task.taskId)).body.data
  await choose(task.taskId, 'SUCCESS')
  const { db } = server.database
  const kept = async () => {
    await server.lifecycle.jobRunner?.runAll()
    const row = await db
      .selectFrom('collection_tasks')
      .select(['raw', 'features'])
      .where('id', '=', task.taskId)
      .executeTakeFirstOrThrow()
    const order = await db.selectFrom('orders').select('answers').where('id', '=', orderId).executeTakeFirstOrThrow()
    return [row.raw !== null, row.features !== null, order.answers.chars !== undefined]
  }
  // time passes while the test runs, so the margin is longer than any test
  server.clock.advance(7 * DAY - 120_000)
  expect(await kept()).toEqual([true, true, true])
  server.clock.advance(120_000)
  expect(await kept()).toEqual([false, true, true])
  server.clock.advance(173 * DAY)
  expect(await kept()).toEqual([false, false, false])
})

test("another user's task is 404 in every way", async () => {
  const [owner, other] = [await newUser(), await newUser()]
  const { taskId } = await create(owner.token)
  expect((await server.call('evaluation', 'taskRecord', { taskId }, { token: other.token })).status).toBe(404)
  expect((await act(other.token, taskId, 'FORGET')).status).toBe(404)
  expect((await submit(other.token, taskId)).body.code).toBe('AUTH_TASK_EXPIRED')
})

test("the sandbox's page says what it is and offers every result; a choice by form works without scripts", async () => {
  const { token } = await newUser()
  const task = await create(token)
  const url = new URL(task.webviewUrl ?? '')
  const seen = await server.app.inject(`${url.pathname}${url.search}`)
  expect(seen.body).toContain('沙箱')
  for (const code of keysOf(taskFailText)) expect(seen.body).toContain(`value="${code}"`)
  const posted = await server.app.inject({
    method: 'POST',
    url: '/sandbox/collector',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: `taskId=${task.taskId}&result=SUCCESS&account=rich`,
  })
  expect(posted.statusCode).toBe(303)
  expect((await record(token, task.taskId)).status).toBe('SUCCESS')
  const wrong = await server.app.inject({
    method: 'POST',
    url: '/sandbox/collector',
    payload: { taskId: 'x', result: 'SUCCESS' },
  })
  expect(wrong.statusCode).toBe(404)
})

describe('an HTTP collector', () => {
  const secret = 'a-secret-of-the-collector'
  let standIn: Server
  let asks: { path: string; body: Record<string, unknown>; good: boolean }[] = []
  let answers: ((n: number) => { status: number; body?: unknown }) | undefined
  let own: TestDatabase
  let real: TestServer
  beforeAll(async () => {
    standIn = createServer((req, res) => {
      let text = ''
      req.on('data', (part) => {
        text += part
      })
      req.on('end', () => {
        const { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature } = req.headers
        const right = createHmac('sha256', secret)
          .update([timestamp, nonce, req.method, req.url, text].join('\n'))
          .digest('hex')
        asks.push({ path: req.url ?? '', body: JSON.parse(text), good: signature === right })
        const { status, body = {} } = answers?.(asks.length) ?? {
          status: 200,
          body: { ref: 'r1', qr: `https://game.test/qr/${asks.length}` },
        }
        res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      })
    })
    await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve))
    const address = standIn.address()
    const port = typeof address === 'object' ? address?.port : 0
    own = await createTestDatabase()
    const env = {
      COLLECTOR_URL: `http://127.0.0.1:${port}/v1`,
      COLLECTOR_SECRET: secret,
      PUBLIC_URL: 'https://gz.example.test',
    }
    real = await startServer({ testDatabase: own, games: ['ys'], env })
  })
  afterAll(async () => {
    await real.close()
    own.remove()
    standIn.closeAllConnections()
    standIn.close()
  })
  beforeEach(() => {
    asks = []
    answers = undefined
    real.clock.advance(2 * DAY)
  })

  const begin = async () => {
    const { token } = await real.login(`1350000${String(++numbers).padStart(4, '0')}`)
    const { body } = await real.call(
      'evaluation',
      'taskCreate',
      { gameId: 'ys', loginType: 'QR', answers: { uid: '812345678' } },
      { token },
    )
    return { token, task: body.data }
  }
  const deliver = async (news: object, change: Record<string, string> = {}) => {
    const payload = JSON.stringify(news)
    const [timestamp, nonce] = [change.timestamp ?? String(Date.now()), 'nonce-of-12-chars']
    const signature = createHmac('sha256', change.secret ?? secret)
      .update([timestamp, nonce, 'POST', '/collector/events', payload].join('\n'))
      .digest('hex')
    const headers = {
      'content-type': 'application/json',
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signature,
    }
    const answer = await real.app.inject({
      method: 'POST',
      url: '/collector/events',
      headers,
      payload: change.payload ?? payload,
    })
    return [answer.statusCode, answer.json().data?.accepted ?? answer.json().code]
  }

  test('gets a signed request with the callback address; each of its events moves the task once', async () => {
    const { token, task } = await begin()
    expect(asks).toEqual([
      expect.objectContaining({
        path: '/v1/reads',
        good: true,
        body: expect.objectContaining({
          taskId: task.taskId,
          gameId: 'ys',
          lookup: { uid: '812345678' },
          callbackUrl: expect.stringMatching(/\/collector\/events$/),
        }),
      }),
    ])
    expect([task.status, task.qrUrl]).toEqual(['WAIT_SCAN', 'https://game.test/qr/1'])
    const { taskId } = task
    expect(await deliver({ taskId, event: 'COLLECTING', progress: 40 })).toEqual([200, true])
    // out of order: the log has passed that status
    expect(await deliver({ taskId, event: 'SCANNED' })).toEqual([200, true])
    const success = { taskId, event: 'SUCCESS', answers: sandboxAccount(ys, 'normal'), raw: { as: 'it came' } }
    expect(await Promise.all([deliver(success), deliver(success), deliver(success)])).toEqual(
      expect.arrayContaining([
        [200, true],
        [200, false],
        [200, false],
      ]),
    )
    expect(await deliver({ taskId, event: 'FAILED', code: 'READ_TIMEOUT' })).toEqual([200, false])
    const { body } = await real.call('evaluation', 'taskRecord', { taskId }, { token })
    expect([body.data.status, body.data.answers]).toEqual(['SUCCESS', sandboxAccount(ys, 'normal')])
  })

  test('forged, old, changed and malformed events are refused', async () => {
    const { token, task } = await begin()
    const news = { taskId: task.taskId, event: 'FAILED', code: 'USER_REFUSED' }
    expect(await deliver(news, { secret: 'not-the-secret-at-all' })).toEqual([460, 'ILLEGAL_REQUEST'])
    expect(await deliver(news, { timestamp: String(Date.now() - 301_000) })).toEqual([460, 'ILLEGAL_REQUEST'])
    expect(await deliver(news, { payload: JSON.stringify({ ...news, code: 'READ_TIMEOUT' }) })).toEqual([
      460,
      'ILLEGAL_REQUEST',
    ])
    expect(await deliver({ ...news, code: 'SOMETHING' })).toEqual([400, 'VALIDATION_FAILED'])
    expect(await deliver({ ...news, taskId: 'nobody' })).toEqual([200, false])
    const { body } = await real.call('evaluation', 'taskRecord', { taskId: task.taskId }, { token })
    expect(body.data.status).toBe('WAIT_SCAN')
  })

  test('events after the ten minutes change nothing', async () => {
    const { token, task } = await begin()
    real.clock.advance(10 * MINUTE)
    expect(await deliver({ taskId: task.taskId, event: 'SUCCESS', answers: sandboxAccount(ys, 'new') })).toEqual([
      200,
      false,
    ])
    const { body } = await real.call('evaluation', 'taskRecord', { taskId: task.taskId }, { token })
    expect(body.data.status).toBe('EXPIRED')
  })

  test('is retried after a 500, not after a 400; without a response the task fails and may be restarted', async () => {
    answers = (n) => (n < 3 ? { status: 502 } : { status: 200, body: { ref: 'r2', qr: 'https://game.test/qr' } })
    expect((await begin()).task.status).toBe('WAIT_SCAN')
    expect(asks).toHaveLength(3)
    asks = []
    answers = () => ({ status: 422 })
    const { task } = await begin()
    expect([asks.length, task.status, task.failCode, task.retryable]).toEqual([1, 'FAILED', 'READ_TIMEOUT', true])
    asks = []
    answers = () => ({ status: 200, body: { nonsense: true } })
    expect((await begin()).task.failCode).toBe('READ_TIMEOUT')
  })

  test('is told to delete its data when the user cancels; the sandbox page is absent', async () => {
    const { token, task } = await begin()
    await real.call(
      'evaluation',
      'taskCreate',
      { gameId: 'ys', loginType: 'QR', taskId: task.taskId, action: 'CANCEL' },
      { token },
    )
    await real.lifecycle.jobRunner?.runAll()
    expect(asks.map((a) => a.path)).toEqual(['/v1/reads', '/v1/reads/r1/forget'])
    expect((await real.app.inject({ method: 'POST', url: '/sandbox/collector', payload: {} })).statusCode).toBe(404)
  })
})
