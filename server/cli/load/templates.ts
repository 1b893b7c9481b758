/** Makes the rows that `load:fill` multiplies, by the functions that serve users: a user, and orders with their reports. */
import type { Kysely } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { createClock } from '../../core/clock'
import { createEncryption } from '../../core/encryption'
import type { Db } from '../../db/database'
import type { DB } from '../../db/tables'
import { makeUser } from '../../domains/accounts/find-user'
import { accountOf } from '../../domains/games/account-identity'
import { createGameRepository } from '../../domains/games/repository'
import { type ActiveModel, createModelRepository } from '../../domains/models/repository'
import { lockPrice } from '../../domains/orders/lock-price'
import { recordPayment } from '../../domains/payments/settle-payment'
import { newId } from '../../domains/shared/secrets'
import { submissionOf } from '../../domains/valuations/idempotency'
import { insertValuation, valueOrder } from '../../domains/valuations/value-order'
import { valuate } from '../../engine/valuate'
import { seed } from '../../fixtures/seed'
import { generateSales } from '../../fixtures/synthetic/generate'
import { createTraining, trainInChildProcess } from '../../jobs/training'
import type { Settings } from '../../settings'

/** Sales of each game of a new database: enough for a model, and trained in seconds. */
const SALES = 300
/** generated accounts of a game, of which not all answer everything that is required */
const CANDIDATES = 100
/** An account's public id, which the generator leaves out: of a length that every shipped form accepts. */
const PUBLIC_ID = '123456789'
/** valid ones among which the one with the most confident valuation is taken */
const MAX_VALUED = 10

/** Kinds of orders: report locked, report unlocked by a payment, valuation that found too few sales. */
export type TemplateKind = 'LOCKED' | 'PAID' | 'INSUFFICIENT'

export interface Template {
  kind: TemplateKind
  orderId: string
}

export interface Templates {
  userId: string
  orders: Template[]
  /** ms: when they were made */
  now: number
}

type Made = Omit<Templates, 'orders'> & { settings: Settings }

/** Games with models: a server that finds none would start with training and disturb the measurement. */
async function prepareGames(db: Kysely<DB>, now: number): Promise<FormConfig[]> {
  await seed(db, { now, salesEach: SALES, print: (line) => console.error(line) })
  const configs = (await createGameRepository(db).all()).map(({ config }) => config)
  const training = createTraining(db, trainInChildProcess(), () => now)
  for (const config of configs) await training.ensure(config)
  return configs
}

/** Answers of a generated account that is valued with the highest confidence. */
function answersFor(config: FormConfig, { model }: ActiveModel, now: number): Answers {
  let best: { answers: Answers; score: number } | undefined
  let valid = 0
  const publicId = Object.fromEntries(
    config.fields.filter(({ role }) => role === 'lookup').map(({ key }) => [key, PUBLIC_ID]),
  )
  for (const { attributes } of generateSales(config, { until: now, n: CANDIDATES, seed: 7 })) {
    const answers = { ...attributes, ...publicId }
    if (validateAnswers(config, answers, 'AI').some(({ level }) => level === 'error')) continue
    valid += 1
    if (valid > MAX_VALUED) break
    const valued = valuate(model, config, answers, { now, source: 'TYPED' })
    const score = valued.ok ? valued.confidence.score : 0
    if (!best || score > best.score) best = { answers, score }
  }
  if (!best) throw new Error(`no answers of ${config.gameId} are valid`)
  return best.answers
}

/** Pays for the report as the payment of a provider would. */
async function payFor(tx: Db, { settings, userId, now }: Made, orderId: string): Promise<void> {
  const { payFen, payExpireAt } = await lockPrice(tx, settings, { userId, orderId, couponId: '', now })
  const payment = await tx
    .insertInto('payments')
    .values({
      id: newId(),
      order_id: orderId,
      user_id: userId,
      pay_type: 'WX_H5',
      provider: 'sandbox',
      amount_fen: payFen,
      coupon_id: null,
      openid: null,
      return_url: '',
      origin: 'http://localhost',
      status: 'CREATED',
      txn: null,
      created_at: now,
      expire_at: payExpireAt,
      paid_at: null,
      asked_at: null,
      next_ask_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const trade = { state: 'PAID' as const, txn: payment.id, amountFen: payFen }
  const outcome = await recordPayment(tx, payment, trade, payFen, { now, realNow: now })
  if (outcome !== 'SETTLED') throw new Error(`the template's payment was ${outcome}`)
}

async function makeOrder(
  db: Kysely<DB>,
  made: Made,
  kind: TemplateKind,
  config: FormConfig,
  active: ActiveModel,
): Promise<Template> {
  const { userId, now } = made
  const answers = answersFor(config, active, now)
  const request = { config, answers, source: 'TYPED' as const, now }
  return db.transaction().execute(async (tx) => {
    const orderId = await insertValuation(tx, userId, submissionOf(request, {}), 'PROCESSING')
    const account = await accountOf(tx, userId, config, answers)
    const model = kind === 'INSUFFICIENT' ? undefined : active
    // without its predecessor: every copy is the first report of its account
    const of = { ...request, orderId, userId, account: { accountId: account.accountId, earlier: [] }, active: model }
    await valueOrder(tx, of)
    if (kind === 'PAID') await payFor(tx, made, orderId)
    return { kind, orderId }
  })
}

/** @param mobile number of the template's user, unused so far */
export async function makeTemplates(db: Kysely<DB>, settings: Settings, mobile: string): Promise<Templates> {
  const clock = createClock()
  await clock.sync(db)
  const now = clock.now()
  const configs = await prepareGames(db, now)
  const models = createModelRepository(db, async () => false)
  const by = { encryption: createEncryption(settings.identityKeys), clock, channel: '' }
  const userId = await db.transaction().execute((tx) => makeUser(tx, by, mobile))
  const orders: Template[] = []
  for (const config of configs) {
    const active = await models.active(config)
    if (!active) continue
    for (const kind of ['LOCKED', 'PAID', 'INSUFFICIENT'] as const)
      orders.push(await makeOrder(db, { settings, userId, now }, kind, config, active))
  }
  return { userId, orders, now }
}
