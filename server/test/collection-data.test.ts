/** What is kept of a collection and its asking price, for how long, and how its user deletes it. */
import { sql } from 'kysely'
import { reporterOf } from '../domains/accounts/reporter-hashes'
import { recordStaffSale, screenStaffSale } from '../domains/market/follow-ups/order-sale'
import { proofOf, verifyReport } from '../domains/reports/publishing/verification'
import { onCollected } from '../domains/valuations/collected/finish-task'
import { sandboxAccount } from '../providers/collector/sandbox'
import { asked, DAY, MINUTE, setupCollections } from './collections'

const collections = setupCollections()
const { server, ys, db, deps, runJobs, newUser, create, record, act, choose, submit, waiting } = collections
const { abandoned, reportOf, statusOf, statuses, ordersOf, beforeValuation } = collections
afterEach(() => db().deleteFrom('sales').where('source', '=', 'pasted-listing').execute())

const listed = (askFen: number) => ({ listing: { askFen, consent: true as const } })
const pasted = (table: 'sales' | 'held_sales') =>
  db()
    .selectFrom(table)
    .select(['kind', 'price_fen', 'attributes'])
    .where('source', '=', 'pasted-listing')
    .orderBy('id')
    .execute()
/** What the market asks for an account of the sandbox. */
async function listFenOf(account: string): Promise<number> {
  const made = await waiting()
  await choose(made.taskId, 'SUCCESS', account)
  return (await reportOf(made)).price.listFen ?? 0
}

describe('an asking price', () => {
  test('becomes that of the account collected if its use was allowed before, and is refused if absurd', async () => {
    const askFen = await listFenOf('rich')
    for (const [listing, stored] of [
      [{ askFen }, []],
      [listed(askFen).listing, [{ kind: 'ASKING', price_fen: askFen }]],
    ] as const) {
      const made = await waiting({ listing })
      await choose(made.taskId, 'SUCCESS', 'rich')
      expect([(await reportOf(made)).asking?.fen, await pasted('sales')]).toMatchObject([askFen, stored])
    }
    const waits = db().selectFrom('collection_tasks').select('id').where('listing_fen', 'is not', null)
    expect(await waits.execute()).toEqual([])
    const { token } = await newUser()
    const { taskId } = await create(token)
    expect((await submit(token, taskId, { listing: { askFen: 1 } })).body.code).toBe('VALIDATION_FAILED')
  })

  test.each([
    ['FAILED', (_token: string, taskId: string) => choose(taskId, 'TIMEOUT')],
    ['CANCELED', (token: string, taskId: string) => act(token, taskId, 'CANCEL')],
    [
      'EXPIRED',
      () => {
        server.clock.advance(11 * MINUTE)
        return runJobs()
      },
    ],
  ])('%s: is not kept by a collection that ends without a valuation', async (status, end) => {
    const { token, taskId } = await waiting(listed(320_000))
    const task = db().selectFrom('collection_tasks').select(['status', 'listing_fen']).where('id', '=', taskId)
    expect(await task.executeTakeFirst()).toMatchObject({ listing_fen: 320_000 })
    await end(token, taskId)
    expect(await task.executeTakeFirst()).toEqual({ status, listing_fen: null })
  })

  test.each([
    ['arrives', false],
    ['is corrected', true],
  ])('that %s while the account is being valued is the one stored', async (_, early) => {
    const fen = await listFenOf('rich')
    const late = Math.round(1.1 * fen)
    const { token, taskId } = await waiting(early ? listed(fen) : {})
    const between = beforeValuation(async () => {
      expect((await record(token, taskId)).status).toBe('VALUING')
      await submit(token, taskId, { ...listed(late), answers: { ...asked(ys), server: 'bili' } })
    })
    await choose(taskId, 'SUCCESS', 'rich')
    expect([between.mock.calls.length > 0, (await record(token, taskId)).status]).toEqual([true, 'SUCCESS'])
    expect((await pasted('sales')).filter(({ price_fen }) => price_fen === late)).toMatchObject([
      { attributes: { server: 'bili' } },
    ])
  })
})

/** Every text in every table, as one string. */
async function everything(): Promise<string> {
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('models', 'games', 'form_configs')`.execute(db())
  const texts: string[] = []
  for (const { name } of rows)
    texts.push(JSON.stringify((await sql`select * from ${sql.table(name)}`.execute(db())).rows))
  return texts.join('\n')
}

describe('deleting the data (撤销授权并删除采集数据)', () => {
  test('leaves no read data in any table; the report is withdrawn, its price stays', async () => {
    const { token } = await newUser()
    const { taskId } = await create(token, { answers: { uid: '877665544' } })
    const { orderId } = (await submit(token, taskId)).body.data
    const primogem = 87_654
    const answers = { ...sandboxAccount(ys, 'normal'), primogem }
    await onCollected(deps(), taskId, { kind: 'SUCCESS', answers, raw: { secret: 'raw-of-this-read', primogem } })
    const { price } = await reportOf({ token, orderId })
    // the owner tells a price that waits for staff, and corrects it
    const told = async (times: number) => {
      const sale = { soldFen: Math.round(times * price.predictFen), soldAt: server.clock.now() }
      await server.call('sale', 'report', { orderId, consent: true, outcome: 'SOLD', ...sale }, { token })
      return db().selectFrom('held_sales').select('price_fen').where('source', '=', 'follow-up').execute()
    }
    expect(await told(6)).toHaveLength(1)
    expect(await told(1)).toEqual([])
    // as a separate number: five digits may occur in a hash by chance
    const traces = [/\b87654\b/, /raw-of-this-read/, /877665544/]
    const stored = await everything()
    for (const trace of traces) expect(stored).toMatch(trace)
    const gone = (await act(token, taskId, 'FORGET')).body.data
    expect([gone.forgotten, gone.answers]).toEqual([true, undefined])
    const left = await everything()
    for (const trace of traces) expect(left).not.toMatch(trace)
    const after = await reportOf({ token, orderId })
    expect([after.status, after.price, after.breakdown]).toEqual(['REVOKED', price, []])
    expect((await submit(token, taskId, { answers: { ...asked(ys), ar: 60 } })).body.code).toBe('AUTH_TASK_EXPIRED')
  })

  test('leaves none in a later report that was compared with it, which stays as it is', async () => {
    const { token } = await newUser()
    const { taskId } = await create(token)
    await submit(token, taskId)
    const answers = { ...sandboxAccount(ys, 'normal'), primogem: 76_543 }
    await onCollected(deps(), taskId, { kind: 'SUCCESS', answers, raw: {} })
    const { primogem: _, ...fewer } = { ...asked(ys), ...answers }
    const typed = { gameId: 'ys', schemaVersion: ys.schemaVersion, answers: fewer, source: 'TYPED' as const }
    const { orderId } = (await server.call('evaluation', 'submitAi', typed, { token })).body.data
    const later = db().selectFrom('reports').selectAll().where('order_id', '=', orderId)
    const before = await later.executeTakeFirstOrThrow()
    expect(JSON.stringify(before.inputs)).toMatch(/"earlier".*76543/)
    const { signature } = proofOf({ ...deps(), origin: '' }, before)
    await act(token, taskId, 'FORGET')
    expect(await everything()).not.toMatch(/\b76,?543\b/)
    expect(await verifyReport(deps(), before.report_no, signature, server.clock.now())).toMatchObject({
      ...{ state: 'VALID', report: { predict_fen: before.predict_fen } },
    })
  })

  test('withdraws the asking price of this account, used or held, and no other', async () => {
    const collect = async (account: string, ratio: number) => {
      const askFen = Math.round(ratio * (await listFenOf(account)))
      const made = await waiting(listed(askFen))
      await choose(made.taskId, 'SUCCESS', account)
      return { ...made, askFen }
    }
    const prices = async () =>
      [...(await pasted('sales')), ...(await pasted('held_sales'))].map(({ price_fen }) => price_fen)
    const [used, kept, held] = [await collect('rich', 1), await collect('normal', 1), await collect('new', 6)]
    expect(await prices()).toEqual([used.askFen, kept.askFen, held.askFen])
    for (const { token, taskId } of [used, held]) await act(token, taskId, 'FORGET')
    expect(await prices()).toEqual([kept.askFen])
    // so that the model that learned from it is replaced
    expect(await db().selectFrom('training_orders').select('game_id').execute()).toHaveLength(1)
  })

  test('of a collection of more than 180 days ago still withdraws its price and its reports', async () => {
    const mobile = '13600009999'
    const { token, userId } = await server.login(mobile)
    const collect = async (account: string) => {
      const askFen = await listFenOf(account)
      const { taskId } = await create(token)
      const { orderId } = (await submit(token, taskId, listed(askFen))).body.data
      await choose(taskId, 'SUCCESS', account)
      return { taskId, orderId }
    }
    const sales = db().selectFrom('sales').select('id').orderBy('id')
    const mine = () => sales.where('reporter', '=', reporterOf(deps().encryption, userId)).execute()
    const [gone, kept] = [await collect('rich'), await collect('normal')]
    const learned = await mine()
    expect(learned).toHaveLength(2)
    server.clock.advance(181 * DAY)
    await runJobs()
    await act((await server.login(mobile)).token, gone.taskId, 'FORGET')
    expect(await mine()).toEqual(learned.slice(1))
    const reports = db()
      .selectFrom('reports')
      .select(['status', sql<unknown>`body -> 'breakdown'`.as('lines')])
    expect(await reports.where('order_id', '=', gone.orderId).execute()).toEqual([{ status: 'REVOKED', lines: [] }])
    expect(await reports.where('order_id', '=', kept.orderId).execute()).not.toMatchObject([{ status: 'REVOKED' }])
  })

  test('releases the coupon of a begun payment', async () => {
    const { token, userId, taskId, orderId } = await waiting()
    await choose(taskId, 'SUCCESS')
    const coupon = { coupon_id: 'forget', template_id: 'report-1', user_id: userId, nth: 9, status: 'UNUSED' as const }
    const period = { start_at: 0, end_at: server.clock.now() + DAY, received_at: 0, used_at: null, order_id: null }
    await db()
      .insertInto('user_coupons')
      .values({ ...coupon, ...period })
      .execute()
    await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: 'forget' }, { token })
    const held = db().selectFrom('user_coupons').select('status').where('coupon_id', '=', 'forget')
    expect(await held.execute()).toEqual([{ status: 'LOCKED' }])
    await act(token, taskId, 'FORGET')
    expect([await statusOf(token, orderId), await held.execute()]).toEqual(['EXPIRED', [{ status: 'UNUSED' }]])
  })

  test('before its valuation ends task and order; the job values nothing', async () => {
    const made = await abandoned()
    const gone = (await act(made.token, made.taskId, 'FORGET')).body.data
    expect(gone).toMatchObject({ status: 'CANCELED', forgotten: true })
    await runJobs()
    expect(await statuses(made)).toEqual(['CANCELED', 'CANCELED'])
  })

  test('while its answers are being submitted lets them not come back', async () => {
    const { token, userId } = await newUser()
    const { taskId } = await create(token)
    await choose(taskId, 'SUCCESS')
    const between = beforeValuation(() => act(token, taskId, 'FORGET'))
    expect((await submit(token, taskId)).body.code).toBe('AUTH_TASK_EXPIRED')
    expect(between).toHaveBeenCalled()
    expect(await ordersOf(userId)).toEqual([])
  })

  test('right after a price was compared with the market lets nobody learn it, whoever recorded it', async () => {
    const { token, taskId, orderId } = await waiting()
    await choose(taskId, 'SUCCESS')
    const { predictFen } = (await reportOf({ token, orderId })).price
    const sale = { soldFen: predictFen, soldAt: server.clock.now() }
    const screened = await screenStaffSale(deps(), orderId, sale)
    const { models } = deps().repositories
    const between = jest.spyOn(models, 'inUse').mockImplementationOnce(async (config) => {
      await act(token, taskId, 'FORGET')
      return models.inUse(config)
    })
    const told = await server.call('sale', 'report', { orderId, consent: true, outcome: 'SOLD', ...sale }, { token })
    expect([between.mock.calls.length > 0, told.body.data.answer?.soldFen]).toEqual([true, predictFen])
    const read = (table: 'sales' | 'held_sales') =>
      db().selectFrom(table).select('channel').where('at', '=', sale.soldAt).where('game_id', '=', 'ys').execute()
    const stored = async () => [...(await read('sales')), ...(await read('held_sales'))]
    expect(await stored()).toEqual([])
    await db()
      .transaction()
      .execute((tx) => recordStaffSale(tx, orderId, { sale, screened, now: sale.soldAt }))
    expect([screened?.priceFen, await stored()]).toEqual([predictFen, []])
  })
})

describe('the collector', () => {
  test.each([
    ['CANCEL', false],
    ['FORGET', true],
  ] as const)(
    '%s during a collection stops it, is recorded with the change, and told later',
    async (action, forgotten) => {
      const { token } = await newUser()
      const told = jest.spyOn(deps().providers.collector, 'deleteCollection')
      const { taskId } = await create(token)
      const after = (await act(token, taskId, action)).body.data
      expect([after.status, after.forgotten]).toEqual(['CANCELED', forgotten])
      const recorded = db().selectFrom('deletion_outbox').select(['kind', 'ref']).where('ref', '=', taskId)
      expect(await recorded.execute()).toEqual([{ kind: 'READ', ref: taskId }])
      await runJobs()
      expect(await recorded.execute()).toEqual([])
      expect(told).toHaveBeenCalledWith(taskId)
    },
  )

  test('is told to delete a collection that was cancelled before it had answered', async () => {
    const { token } = await newUser()
    const { collector } = deps().providers
    const began = collector.begin
    const begin = jest.spyOn(collector, 'begin').mockImplementationOnce(async (read) => {
      await act(token, read.taskId, 'CANCEL')
      return began(read)
    })
    const deleted = jest.spyOn(collector, 'deleteCollection')
    const task = await create(token)
    expect([begin.mock.calls.length, task.status]).toEqual([1, 'CANCELED'])
    await runJobs()
    expect(deleted).toHaveBeenCalledWith(task.taskId)
  })

  test.each(['COLLECTING', 'SUCCESS'])('whose event %s arrives before its answer keeps its number', async (status) => {
    const { token } = await newUser()
    const { collector } = deps().providers
    const began = collector.begin
    jest.spyOn(collector, 'begin').mockImplementationOnce(async (read) => {
      const begun = await began(read)
      expect(await choose(read.taskId, status, 'rich')).toEqual({ accepted: true })
      return begun
    })
    const deleted = jest.spyOn(collector, 'deleteCollection')
    const task = await create(token)
    expect(task.status).toBe(status)
    await runJobs()
    expect(deleted).not.toHaveBeenCalled()
    const stored = db().selectFrom('collection_tasks').select('ref').where('id', '=', task.taskId)
    expect(await stored.executeTakeFirst()).toEqual({ ref: task.taskId })
  })
})

test('raw data is kept 7 days, features 180', async () => {
  const { taskId, orderId } = await waiting()
  await choose(taskId, 'SUCCESS')
  const kept = async () => {
    await runJobs()
    const task = db().selectFrom('collection_tasks').select(['raw', 'features']).where('id', '=', taskId)
    const { raw, features } = await task.executeTakeFirstOrThrow()
    const order = db().selectFrom('orders').select('answers').where('id', '=', orderId)
    return [raw !== null, features !== null, (await order.executeTakeFirstOrThrow()).answers.chars !== undefined]
  }
  // time passes while the test runs, so the margin is longer than any test
  server.clock.advance(7 * DAY - 2 * MINUTE)
  expect(await kept()).toEqual([true, true, true])
  server.clock.advance(2 * MINUTE)
  expect(await kept()).toEqual([false, true, true])
  server.clock.advance(173 * DAY)
  expect(await kept()).toEqual([false, false, false])
})
