import { sql } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { orderSaleOf, recordStaffSale, screenStaffSale } from '../domains/market/follow-ups/order-sale'
import { thankFor } from '../domains/market/follow-ups/sale-follow-up'
import { decideHeld } from '../domains/market/held-sales'
import { setupServer, someAnswers } from './harness'
import { adult, configOf } from './orders'
import { uploadPicture } from './upload-picture'

export const DAY = 86_400_000

export let config: FormConfig

export const db = () => server.database.db

export const server = setupServer({ games: ['naraka'] })

export let base = ''

export const encryption = () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  return deps.encryption
}

export let users = 0

export async function reported() {
  const mobile = `1360000${String(++users).padStart(4, '0')}`
  // the number of SMS codes per network and hour is limited
  await db().deleteFrom('sms_codes').execute()
  const { token, userId } = await adult(server, mobile)
  return valued({ mobile, token: token as string, userId })
}

/** One more valuation of a user. */
export async function valued(
  { mobile, token, userId }: { mobile: string; token: string; userId: string },
  skip = users,
) {
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config, skip), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
  const { predict_fen: fen } = await db()
    .selectFrom('reports')
    .select('predict_fen')
    .where('order_id', '=', orderId)
    .executeTakeFirstOrThrow()
  const as = { token, mobile, userId }
  const login = async () => {
    as.token = (await server.login(mobile)).token
  }
  const get = async () => (await server.call('sale', 'followUp', { orderId }, as)).body.data
  const answer = (given: Omit<Req<'sale', 'report'>, 'orderId' | 'consent'>) =>
    server.call('sale', 'report', { orderId, consent: true, ...given }, as)
  const sold = (soldFen: number, more: object = {}) =>
    answer({ outcome: 'SOLD', soldFen, soldAt: server.clock.now(), ...more })
  const row = () => db().selectFrom('sale_followups').selectAll().where('order_id', '=', orderId).executeTakeFirst()
  /** Tells of a sale with a screenshot, which staff accept. */
  const prove = async (soldFen: number) => {
    await sold(soldFen, { images: [await uploadPicture(server, base, as.token)] })
    await accept((await row())?.sale_id)
    return get()
  }
  return { orderId, userId, fen, as, login, get, answer, sold, prove, row }
}

/** Staff accept a held sale, as at the desk. */
export async function accept(externalId: string | null | undefined) {
  const held = db()
    .selectFrom('held_sales')
    .select('id')
    .where('external_id', '=', externalId ?? '')
  const { id } = await held.executeTakeFirstOrThrow()
  const now = server.clock.now()
  await db()
    .transaction()
    .execute(async (tx) => {
      for (const sale of await decideHeld(tx, sql`(held_sales.id = ${id})`, 'ACCEPTED', now))
        await thankFor(tx, sale.external_id, now)
    })
}

export const saleRow = (table: 'sales' | 'held_sales', id: string | null | undefined) =>
  db()
    .selectFrom(table)
    .selectAll()
    .where('source', '=', 'follow-up')
    .where('external_id', '=', id ?? '')
    .execute()

export const coupons = (userId: string) =>
  db().selectFrom('user_coupons').select('template_id').where('user_id', '=', userId).execute()

/** Values an account, with the price of its listing if its owner agrees. */
export async function paste(as: { token?: string }, answers: Answers, askFen?: number, more: object = {}) {
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers, source: 'TYPED' as const, ...more }
  const listing = askFen === undefined ? undefined : { askFen, consent: true as const }
  return server.call('evaluation', 'submitAi', { ...request, ...(listing && { listing }) }, as)
}

/** Records a sale as the desk does. */
export async function record(orderId: string, soldFen: number) {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const now = server.clock.now()
  const sale = { soldFen, soldAt: now }
  const screened = await screenStaffSale(deps, orderId, sale)
  await deps.db.transaction().execute((tx) => recordStaffSale(tx, orderId, { sale, screened, now }))
}

export const recorded = (orderId: string) =>
  db()
    .selectFrom('sales')
    .select('price_fen')
    .where('external_id', '=', orderSaleOf('APPRAISER', orderId).externalId)
    .execute()

/** Decides a held sale as the desk does. */
export async function decide(externalId: string | null | undefined, decision: 'ACCEPTED' | 'REFUSED') {
  const held = db()
    .selectFrom('held_sales')
    .select('id')
    .where('external_id', '=', externalId ?? '')
  const { id } = await held.executeTakeFirstOrThrow()
  await db()
    .transaction()
    .execute((tx) => decideHeld(tx, sql`(held_sales.id = ${id})`, decision, server.clock.now()))
}

/** The address and the form of the game, before the tests. */
export function setUpFollowUps() {
  beforeAll(async () => {
    base = await server.app.listen({ port: 0, host: '127.0.0.1' })
    config = await configOf(server, 'naraka')
  })
}
