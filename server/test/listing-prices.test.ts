import type { Answers } from '@/contract/form/types'
import { insertSales } from '../db/sales'
import { deleteAccounts } from '../domains/accounts/account-deletion'
import { reporterOf } from '../domains/accounts/reporter-hashes'
import { expectedPriceOf } from '../domains/market/expected-price'
import { config, DAY, db, decide, encryption, paste, server, setUpFollowUps } from './followups'
import { someAnswers } from './harness'
import { adult } from './orders'

setUpFollowUps()

const listings = (table: 'sales' | 'held_sales') =>
  db().selectFrom(table).selectAll().where('source', '=', 'pasted-listing').orderBy('id').execute()

describe('the price of a pasted listing', () => {
  let answers: Answers
  let fen: number
  let readers = 0
  /** What the market asks for an account. */
  async function askedFor(attributes: Answers) {
    const { model } = (await server.lifecycle.deps?.repositories.models.active(config)) ?? {}
    if (!model) throw new Error('no model')
    return expectedPriceOf(model, { kind: 'ASKING', priceFen: 1, at: server.clock.now(), attributes }).marketFen
  }
  beforeAll(async () => {
    answers = someAnswers(config, 200)
    fen = await askedFor(answers)
  })
  /** A new user who may value. */
  const reader = async () => {
    const mobile = `1361000${String(++readers).padStart(4, '0')}`
    const { token, userId } = await server.login(mobile)
    return { token: token as string, userId, mobile }
  }

  test('is in the report of its owner, also without the consent to more, and in no other', async () => {
    const owner = await reader()
    const asking = (orderId: string, as: { token?: string } = owner, shareToken?: string) =>
      server.call('evaluation', 'reportGet', shareToken ? { shareToken } : { orderId }, as)
    const { orderId } = (await paste(owner, answers, undefined, { listing: { askFen: 48_000 } })).body.data
    const { data } = (await asking(orderId)).body
    expect(data.asking).toEqual({ fen: 48_000, overPrice: 48_000 / data.price.predictFen - 1 })
    const { shareToken } = (await server.call('evaluation', 'reportImageShare', { orderId }, owner)).body.data
    expect((await asking(orderId, {}, shareToken)).body.data).toMatchObject({ mine: false })
    expect((await asking(orderId, {}, shareToken)).body.data).not.toHaveProperty('asking')
    expect(await listings('sales')).toEqual([])
    const wrong = await paste(await reader(), answers, undefined, { listing: { askFen: 1 } })
    expect(wrong.body.code).toBe('VALIDATION_FAILED')
    // of a manual order, too
    const person = await adult(server, `1361000${String(++readers).padStart(4, '0')}`)
    const { gameId, schemaVersion } = config
    const manual = { gameId, schemaVersion, answers, level: 'STD' as const, listing: { askFen: 48_000 } }
    const made = (await server.call('evaluation', 'submitManual', manual, person)).body.data
    const ordered = db().selectFrom('orders').select('ask_fen').where('id', '=', made.orderId)
    expect(await ordered.executeTakeFirst()).toEqual({ ask_fen: 48_000 })
  })

  test('is used with consent only, once for an order', async () => {
    const owner = await reader()
    await paste(owner, answers, undefined, { listing: { askFen: fen } })
    expect(await listings('sales')).toEqual([])
    server.clock.advance(700_000)
    const { body } = await paste(owner, answers, fen)
    expect(body.success).toBe(true)
    const [sale, ...others] = await listings('sales')
    expect(others).toEqual([])
    expect(sale).toMatchObject({ kind: 'ASKING', channel: 'LISTING', price_fen: fen, game_id: 'naraka' })
    expect(sale?.reporter).toBe(reporterOf(encryption(), owner.userId))
    expect(server.clock.now() - (sale?.at ?? 0)).toBeLessThan(60_000)
    expect(JSON.stringify(sale)).not.toContain(owner.userId)
    expect(JSON.stringify(sale)).not.toContain(body.data.orderId)
    // a lost answer: the same submission again
    await paste(owner, answers, fen)
    expect(await listings('sales')).toEqual([sale])
    // a doubtful one waits for staff
    await paste(await reader(), answers, 6 * fen)
    expect(await listings('sales')).toEqual([sale])
    const [held] = await listings('held_sales')
    expect(held).toMatchObject({ reason: 'OUTLIER', kind: 'ASKING', channel: 'LISTING', price_fen: 6 * fen })
    await decide(held?.external_id, 'REFUSED')
    expect(await listings('held_sales')).toEqual([])
  })

  test('given as an account merged into the person’s loses its mark with that person', async () => {
    const { deps } = server.lifecycle
    if (!deps) throw new Error('not started')
    const owner = await reader()
    const former = `before-${owner.userId}`
    await db().insertInto('former_ids').values({ former_id: former, user_id: owner.userId }).execute()
    const given = { gameId: config.gameId, kind: 'ASKING', priceFen: fen, at: server.clock.now() } as const
    const as = { source: 'pasted-listing', channel: 'LISTING', reporter: reporterOf(encryption(), former) } as const
    const ids = Array.from({ length: 2 }, (_, n) => `${former}-${n}`)
    await insertSales(
      db(),
      ids.map((externalId) => ({ ...given, ...as, attributes: {}, externalId })),
    )
    await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', owner.userId).execute()
    await deleteAccounts.run(deps, server.clock.now())
    const left = (await listings('sales')).filter(({ attributes }) => Object.keys(attributes).length === 0)
    expect(left.map(({ reporter }) => reporter)).toEqual([null, null])
    await db().deleteFrom('sales').where('reporter', 'is', null).where('source', '=', 'pasted-listing').execute()
  })

  test.each([
    ['no money', { askFen: 50, consent: true }],
    ['more than any account costs', { askFen: 1_000_000_001, consent: true }],
    ['a fraction', { askFen: 100.5, consent: true }],
    ['no consent', { askFen: 100_000, consent: false }],
  ])('%s is refused with the name of the field, and no order is made', async (_, listing) => {
    const owner = await reader()
    const { status, body } = await paste(owner, answers, undefined, { listing })
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED'])
    expect(JSON.stringify(body)).toContain('挂牌价')
    const orders = await db().selectFrom('orders').select('id').where('user_id', '=', owner.userId).execute()
    expect(orders).toEqual([])
  })

  test('that stands for "ask me" is not used', async () => {
    const before = await listings('sales')
    for (const price of [100, 99 * fen]) expect((await paste(await reader(), answers, price)).body.success).toBe(true)
    expect(await listings('sales')).toEqual(before)
  })

  test('is used no longer, waiting or not, once its owner withdraws the consent; those of others are', async () => {
    // codes of another day
    server.clock.advance(DAY)
    await db().deleteFrom('held_sales').where('source', '=', 'pasted-listing').execute()
    const [owner, other] = [await reader(), await reader()]
    const [own, waiting, foreign] = [220, 221, 222].map((n) => someAnswers(config, n)) as Answers[]
    if (!own || !waiting || !foreign) throw new Error('no answers')
    await paste(other, foreign, await askedFor(foreign))
    const others = await listings('sales')
    await paste(owner, own, await askedFor(own))
    await paste(owner, waiting, 6 * (await askedFor(waiting)))
    expect([(await listings('sales')).length, (await listings('held_sales')).length]).toEqual([others.length + 1, 1])
    const withdraw = () => server.call('user', 'updateSettings', { withdraw: 'LISTING' }, owner)
    const shared = async () => (await server.call('user', 'get', { devices: true }, owner)).body.data.sharedPrices
    expect(await shared()).toEqual(['LISTING'])
    const { body } = await withdraw()
    expect(await shared()).toEqual([])
    expect(body.data).not.toHaveProperty('withdraw')
    expect([await listings('sales'), await listings('held_sales')]).toEqual([others, []])
    expect((await withdraw()).body.success).toBe(true)
    expect([await listings('sales'), await listings('held_sales')]).toEqual([others, []])
    // a later price has its own consent
    server.clock.advance(DAY)
    await paste(await server.login(owner.mobile), own, await askedFor(own))
    expect(await listings('sales')).toHaveLength(others.length + 1)
    await db().deleteFrom('held_sales').where('source', '=', 'pasted-listing').execute()
  })

  test('no longer names its person once their account is deleted; it stays', async () => {
    const { deps } = server.lifecycle
    if (!deps) throw new Error('not started')
    const owner = await reader()
    const own = someAnswers(config, 201)
    await paste(owner, own, await askedFor(own))
    const isMarked = ({ reporter }: { reporter: string | null }) => reporter === reporterOf(encryption(), owner.userId)
    const before = await listings('sales')
    expect(before.filter(isMarked)).toHaveLength(1)
    await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', owner.userId).execute()
    await deleteAccounts.run(deps, server.clock.now())
    expect(await listings('sales')).toEqual(
      before.map((sale) =>
        isMarked(sale) ? { ...sale, external_id: expect.any(String), reporter: null, device: null } : sale,
      ),
    )
  })
})
