import { sql } from 'kysely'
import type { TSchema } from 'typebox'
import { Value } from 'typebox/value'
import type { FormConfig } from '@/contract/form/types'
import { keysOf, taskFailText } from '@/contract/labels'
import { schemas } from '@/contract/schemas'
import type { AutoTask } from '@/contract/types'
import { finish, onCollected } from '../domains/valuations/collected/finish-task'
import { sandboxAccount } from '../providers/collector/sandbox'
import { asked, DAY, MINUTE, setupCollections } from './collections'
import { untilNoon } from './harness'

const collections = setupCollections()
const { server, ys, hok, db, deps, runJobs, newUser, begin, create, record, act, choose, submit, waiting } = collections
const { abandoned, reportOf, statusOf, statuses, ordersOf } = collections

const events = async (taskId: string) => {
  const log = db().selectFrom('collection_task_events').select('to_status').where('task_id', '=', taskId)
  return (await log.orderBy('id').execute()).map((e) => e.to_status)
}
const sourceOf = async (orderId: string) => {
  const report = db().selectFrom('reports').select('inputs').where('order_id', '=', orderId)
  return (await report.executeTakeFirstOrThrow()).inputs.source
}
const freeLeft = async (token: string) =>
  (await server.call('evaluation', 'gameConfig', { gameId: 'ys', mode: 'AI' }, { token })).body.data.freeLeft
const fits = (task: AutoTask) => {
  const { res } = schemas.evaluation.taskRecord as { res: TSchema }
  expect([...Value.Errors(res, task)]).toEqual([])
}

test('from consent to report: every step of the line, the order valued on its own, source AUTH', async () => {
  const { token } = await newUser()
  const task = await create(token)
  const { taskId } = task
  fits(task)
  expect(task).toMatchObject({
    ...{ status: 'WAIT_SCAN', step: '扫码', steps: ['扫码', '确认', '读取', '估价'], pollAfterMs: 3000 },
    ...{ retryable: false, qrImage: expect.stringMatching(/^data:image\/png;base64,/) },
    qrExpireAt: expect.closeTo(server.clock.now() + 180_000, -5),
    expireAt: expect.closeTo(server.clock.now() + 600_000, -5),
  })
  const placed = (await submit(token, taskId)).body.data
  const { orderId } = placed
  expect(placed.status).toBe('WAIT_AUTH')
  await choose(taskId, 'SCANNED')
  expect(await record(token, taskId)).toMatchObject({ status: 'SCANNED', step: '确认' })
  await choose(taskId, 'COLLECTING')
  const half = await record(token, taskId)
  expect(half).toMatchObject({ status: 'COLLECTING', step: '读取', progress: 65 })
  expect(half).not.toHaveProperty('qrImage')
  expect(await choose(taskId, 'SUCCESS', 'rich')).toEqual({ accepted: true })
  const done = await record(token, taskId)
  fits(done)
  expect(done).toMatchObject({ status: 'SUCCESS', progress: 100, pollAfterMs: 0, orderId })
  expect(done.answers).toEqual(sandboxAccount(ys, 'rich'))
  expect(await events(taskId)).toEqual(['CREATED', 'WAIT_SCAN', 'SCANNED', 'COLLECTING', 'VALUING', 'SUCCESS'])
  expect((await submit(token, taskId)).body.data).toEqual({ orderId, status: 'REPORTED' })
  const { reportNo, price } = await reportOf({ token, orderId })
  expect([await sourceOf(orderId), price.predictFen > 0]).toEqual(['AUTH', true])
  const message = db().selectFrom('messages').select(['type', 'link']).where('biz_id', '=', reportNo)
  expect(await message.execute()).toEqual([
    { type: 'REPORT_READY', link: `/pages/evaluation/report/index?orderId=${orderId}` },
  ])
})

test('the rich sandbox account is worth more than the normal one, and that more than the new one', async () => {
  const prices: number[] = []
  for (const kind of ['rich', 'normal', 'new']) {
    const made = await waiting()
    await choose(made.taskId, 'SUCCESS', kind)
    prices.push((await reportOf(made)).price.predictFen)
  }
  expect([...new Set(prices)]).toEqual(prices.toSorted((a, b) => b - a))
})

test('a collection by public id needs no scan, refuses a wrong id and is named in the report', async () => {
  const { token } = await newUser()
  const request = { gameId: 'hok', loginType: 'PUBLIC_ID' } as const
  const bad = await begin(token, { ...request, answers: { campId: '12ab' } })
  expect([bad.status, bad.body.data]).toEqual([
    400,
    { fields: [{ path: 'answers.campId', msg: '营地ID格式不对，应为 6–12 位数字' }] },
  ])
  const { gameId, schemaVersion } = hok
  const answers = asked(hok)
  const task = await create(token, { ...request, answers })
  expect(task).toMatchObject({ status: 'COLLECTING', steps: ['查找', '读取', '估价'] })
  expect(task).not.toHaveProperty('qrImage')
  const { orderId } = (await submit(token, task.taskId, { gameId, schemaVersion, answers })).body.data
  await choose(task.taskId, 'SUCCESS')
  expect(await events(task.taskId)).toEqual(['CREATED', 'COLLECTING', 'VALUING', 'SUCCESS'])
  expect(await sourceOf(orderId)).toBe('PUBLIC_ID')
})

test('a game without collection offers no read', async () => {
  const { status, body } = await begin((await newUser()).token, { gameId: 'val' })
  expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
})

describe('answers', () => {
  test('typed during a collection never count as read', async () => {
    const { taskId, orderId } = await waiting({ answers: { ...asked(ys), primogem: 999_999 } })
    await choose(taskId, 'SUCCESS', 'new')
    const order = db().selectFrom('orders').select('answers').where('id', '=', orderId)
    expect((await order.executeTakeFirstOrThrow()).answers.primogem).toBe(sandboxAccount(ys, 'new').primogem)
  })

  test('that were read and are submitted later count as AUTH; corrected ones count as typed, and both are kept', async () => {
    const { token } = await newUser()
    const { taskId } = await create(token)
    await choose(taskId, 'SUCCESS', 'normal')
    const { status, answers: read = {} } = await record(token, taskId)
    expect(status).toBe('SUCCESS')
    const send = async (change = {}) =>
      (await submit(token, taskId, { answers: { ...asked(ys), ...read, ...change } })).body.data
    const first = await send()
    expect([first.status, await send()]).toEqual(['REPORTED', first])
    const better = await send({ ar: 60, yellow: Number(read.yellow) + 40 })
    expect(better.status).toBe('REPORTED')
    const orders = db().selectFrom('orders').select(['id', 'source']).where('collection_task_id', '=', taskId)
    expect(Object.fromEntries((await orders.execute()).map((o) => [o.id, o.source]))).toEqual({
      [first.orderId]: 'AUTH',
      [better.orderId]: 'TYPED',
    })
    const kept = db().selectFrom('collection_tasks').select('corrections').where('id', '=', taskId)
    expect(await kept.execute()).toMatchObject([{ corrections: { yellow: read.yellow } }])
  })

  test.each([
    ['unknown to the form are not stored', { hacked: 'x', server: 'bilibili' }, undefined],
    ['that the form needs and the game hides end it with PRIVACY_HIDDEN', { ar: 9999 }, 'PRIVACY_HIDDEN'],
  ])('%s', async (_, change, failCode) => {
    const { token } = await newUser()
    const { taskId } = await create(token)
    const read = sandboxAccount(ys, 'normal')
    expect(await onCollected(deps(), taskId, { kind: 'SUCCESS', answers: { ...read, ...change }, raw: {} })).toBe(true)
    const after = await record(token, taskId)
    expect([after.failCode, after.answers]).toEqual(failCode ? [failCode, undefined] : [undefined, read])
  })
})

const sandboxWord: Partial<Record<string, string>> = {
  USER_REFUSED: 'REFUSED',
  PRIVACY_HIDDEN: 'HIDDEN',
  SERVER_MAINTAIN: 'MAINTAIN',
  READ_TIMEOUT: 'TIMEOUT',
}

test.each(keysOf(taskFailText))('%s: its own sentence, no free try lost, the order may try again', async (code) => {
  const { token, userId, taskId, orderId } = await waiting()
  expect(await freeLeft(token)).toBe(2)
  await choose(taskId, sandboxWord[code] ?? code)
  const failed = await record(token, taskId)
  fits(failed)
  const retryable = code !== 'SAMPLE_INSUFFICIENT'
  expect(failed).toMatchObject({ status: 'FAILED', failCode: code, failMsg: taskFailText[code], retryable })
  expect([await freeLeft(token), await statusOf(token, orderId)]).toEqual([3, 'WAIT_AUTH'])
  const again = await create(token, { orderId })
  expect(again.taskId).not.toBe(taskId)
  await choose(again.taskId, 'SUCCESS')
  expect([await statusOf(token, orderId), await freeLeft(token)]).toEqual(['REPORTED', 2])
  expect(await ordersOf(userId)).toHaveLength(1)
})

test('a valuation that waits over midnight counts on the day of its price', async () => {
  server.clock.advance(untilNoon(server, 1) + DAY / 2 - 2 * MINUTE)
  const { token, taskId } = await waiting()
  server.clock.advance(4 * MINUTE)
  // its price is not checked against the limit, so that it counts before
  expect(await freeLeft(token)).toBe(2)
  await choose(taskId, 'SUCCESS')
  expect(await freeLeft(token)).toBe(2)
})

test('a game without samples: INSUFFICIENT on both, and no free try', async () => {
  const row = await db().selectFrom('games').selectAll().where('game_id', '=', 'ys').executeTakeFirstOrThrow()
  const config: FormConfig = { ...ys, gameId: 'fresh' }
  await db()
    .insertInto('games')
    .values({ ...row, game_id: 'fresh', config: JSON.stringify(config) })
    .execute()
  const { token } = await newUser()
  const { taskId } = await create(token, { gameId: 'fresh' })
  const { orderId } = (await submit(token, taskId, { gameId: 'fresh' })).body.data
  await choose(taskId, 'SUCCESS')
  expect(await record(token, taskId)).toMatchObject({
    ...{ status: 'INSUFFICIENT', failCode: 'SAMPLE_INSUFFICIENT', retryable: false },
  })
  expect([await statusOf(token, orderId), await freeLeft(token)]).toEqual(['INSUFFICIENT', 3])
})

test('twenty parallel requests create one task; another game or an ended task gets a new one', async () => {
  const { token } = await newUser()
  const tasks = await Promise.all(Array.from({ length: 20 }, () => create(token)))
  const [taskId = '', ...others] = new Set(tasks.map((task) => task.taskId))
  expect(others).toEqual([])
  expect((await create(token, { gameId: 'hok', loginType: 'PUBLIC_ID' })).taskId).not.toBe(taskId)
  server.clock.advance(10 * MINUTE)
  expect((await create(token)).taskId).not.toBe(taskId)
  expect((await record(token, taskId)).status).toBe('EXPIRED')
})

test('a user may begin thirty collections a day', async () => {
  server.clock.advance(untilNoon(server, 1))
  const { token, userId } = await newUser()
  const { taskId } = await create(token)
  await sql`insert into collection_tasks (id, user_id, game_id, login_type, schema_version, status, lookup, created_at, changed_at,
      expire_at) select id || n, user_id, game_id, login_type, schema_version, 'FAILED', lookup, created_at, changed_at,
      expire_at from collection_tasks, generate_series(1, 29) n where id = ${taskId}`.execute(db())
  // the running one is returned, not begun
  expect((await create(token)).taskId).toBe(taskId)
  await act(token, taskId, 'CANCEL')
  // the clients replace the text of a call that is too busy
  const used = { code: 'FREE_QUOTA_USED', msg: '今天的授权读取次数已用完，请明天再来' }
  expect(await begin(token)).toMatchObject({ status: 200, body: used })
  // while the clock was ahead
  await sql`update collection_tasks set created_at = created_at + ${3 * DAY}::bigint where user_id = ${userId}`.execute(
    db(),
  )
  expect((await begin(token)).body.code).toBe('OK')
  server.clock.advance(DAY)
  expect((await begin(token)).body.code).toBe('OK')
})

test('the code lives 180 s and is renewed three times, then QR_EXPIRED; polling slows after a minute', async () => {
  const { token } = await newUser()
  const { taskId, qrUrl } = await create(token)
  const codes = [qrUrl]
  server.clock.advance(MINUTE)
  expect(await record(token, taskId)).toMatchObject({ pollAfterMs: 5000, qrUrl })
  const task = db().updateTable('collection_tasks').where('id', '=', taskId)
  for (let n = 1; n <= 3; n++) {
    // the task's ten minutes end before the fourth QR code expires
    await task.set({ expire_at: server.clock.now() + DAY }).execute()
    server.clock.advance(180_000)
    const [a, b] = await Promise.all([record(token, taskId), record(token, taskId)])
    expect([a.status, b.status, a.qrUrl]).toEqual(['WAIT_SCAN', 'WAIT_SCAN', b.qrUrl])
    codes.push(a.qrUrl)
  }
  expect(new Set(codes).size).toBe(4)
  server.clock.advance(180_000)
  expect(await record(token, taskId)).toMatchObject({ status: 'FAILED', failCode: 'QR_EXPIRED', retryable: true })
})

test('cancelling a task cancels its order; late events change nothing, and it cannot be cancelled twice', async () => {
  const made = await waiting()
  const { token, taskId } = made
  expect((await act(token, taskId, 'CANCEL')).body.data.status).toBe('CANCELED')
  expect(await choose(taskId, 'SUCCESS')).toEqual({ accepted: false })
  expect(await statuses(made)).toEqual(['CANCELED', 'CANCELED'])
  expect((await act(token, taskId, 'CANCEL')).body.code).toBe('AUTH_TASK_EXPIRED')
  expect((await submit(token, taskId)).body.code).toBe('AUTH_TASK_EXPIRED')
})

test('of a concurrent event, cancellation and time-out exactly one wins, and the order agrees', async () => {
  const fitting: Record<string, string> = {
    ...{ SUCCESS: 'REPORTED', CANCELED: 'CANCELED', FAILED: 'WAIT_AUTH', EXPIRED: 'WAIT_AUTH' },
  }
  const outcomes = new Set<string>()
  for (let i = 0; i < 9; i++) {
    const made = await waiting()
    const { token, taskId } = made
    const expired = i % 3 === 2
    if (expired) server.clock.advance(10 * MINUTE)
    const race = [
      () => choose(taskId, 'SUCCESS'),
      () => act(token, taskId, 'CANCEL'),
      runJobs,
      () => choose(taskId, 'REFUSED'),
      () => record(token, taskId),
    ]
    await Promise.all([...race.slice(i % 5), ...race.slice(0, i % 5)].map((run) => run()))
    const [status = '', order] = await statuses(made)
    expect([status, order]).toEqual([status, fitting[status]])
    expect((await events(taskId)).filter((s) => s in fitting)).toEqual([status])
    if (expired) expect(status).toBe('EXPIRED')
    outcomes.add(status)
    server.clock.advance(DAY)
  }
  expect(outcomes.size).toBeGreaterThan(1)
})

test('a submit concurrent with the end of the collection gives one order and one report', async () => {
  for (let i = 0; i < 4; i++) {
    const { token, userId } = await newUser()
    const { taskId } = await create(token)
    const [, a, b] = await Promise.all([choose(taskId, 'SUCCESS'), submit(token, taskId), submit(token, taskId)])
    const { orderId } = a.body.data
    expect([b.body.data.orderId, await statusOf(token, orderId)]).toEqual([orderId, 'REPORTED'])
    const reports = db().selectFrom('reports').select('order_id').where('user_id', '=', userId)
    expect(await reports.execute()).toEqual([{ order_id: orderId }])
  }
})

test('the next run of the jobs finishes the work of a process that died after the data arrived', async () => {
  const made = await abandoned()
  await Promise.all([runJobs(), finish(deps(), made.taskId)])
  expect(await statuses(made)).toEqual(['SUCCESS', 'REPORTED'])
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
  const { taskId, webviewUrl = '' } = await create(token)
  const { pathname, search } = new URL(webviewUrl)
  const seen = await server.app.inject(pathname + search)
  for (const text of ['沙箱', ...keysOf(taskFailText).map((code) => `value="${code}"`)])
    expect(seen.body).toContain(text)
  const post = (fields: Record<string, string>) =>
    server.app.inject({
      method: 'POST',
      url: '/sandbox/collector',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ result: 'SUCCESS', ...fields }).toString(),
    })
  expect((await post({ taskId, account: 'rich' })).statusCode).toBe(303)
  expect((await record(token, taskId)).status).toBe('SUCCESS')
  expect((await post({ taskId: 'x' })).statusCode).toBe(404)
})
