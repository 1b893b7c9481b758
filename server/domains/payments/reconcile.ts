import { sql } from 'kysely'
import type { Deps } from '../../context'
import { type PayProvider, ProviderDown, ProviderRefused, type Trade } from '../../providers/pay/port'
import { freePrice } from '../orders/price'
import { hasCome } from '../shared/due'
import { changeDueRows, forEachDueRow, type Worked } from '../shared/due-rows'
import { served } from './missing-provider'
import { createSilence, PUT_OFF, type Silence } from './provider-silence'
import { waitAfter } from './refunds'
import { type Outcome, type Payment, settle } from './settle-payment'

/** ms: a person waiting for the result makes us ask at most this often */
const ASK_EVERY = 2000
/** ms until a payment nobody told us about is asked for the first time; then longer and longer */
export const FIRST_ASK = 5000
const MAX_WAIT = 600_000
/** ms after its time a payment is closed: the provider's own clock has to have passed too */
const CLOSE_AFTER = 30_000
/** Questions without an answer after which somebody has to look. */
const ALARM_AFTER = 12
const BATCH = 50

/** Takes the right to ask now; of two who want it one gets it. */
async function claim({ db }: Deps, payment: Payment, now: number): Promise<boolean> {
  const row = await db
    .updateTable('payments')
    .set({ asked_at: now, asks: payment.asks + 1, next_ask_at: now + waitAfter(payment.asks, FIRST_ASK, MAX_WAIT) })
    .where('id', '=', payment.id)
    .where('asks', '=', payment.asks)
    .where('status', 'in', ['CREATED', 'CLOSING'])
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** No money came of a payment. One that failed gives the order's coupon free (rule 2.7); the next try locks it again. */
const end = ({ db }: Deps, payment: Payment, status: 'CLOSED' | 'FAILED', now: number) =>
  db.transaction().execute(async (tx) => {
    const order = await tx
      .selectFrom('orders')
      .select(['mode', 'status'])
      .where('id', '=', payment.order_id)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const ended = await tx
      .updateTable('payments')
      .set({ status, next_ask_at: null })
      .where('id', '=', payment.id)
      .where('status', 'in', ['CREATED', 'CLOSING'])
      .returning('coupon_id')
      .executeTakeFirst()
    const waits = order.status === (order.mode === 'AI' ? 'REPORTED' : 'UNPAID')
    if (status === 'FAILED' && ended?.coupon_id && waits) await freePrice(tx, payment.order_id, now)
  })

/** What a provider says of a payment, told by its answer or its message. */
export async function learn(deps: Deps, payment: Payment, trade: Trade, now: number): Promise<Outcome | undefined> {
  if (trade.state === 'PAID') return settle(deps, payment, trade, now)
  if (trade.state === 'CLOSED' || trade.state === 'FAILED') await end(deps, payment, trade.state, now)
  return undefined
}

async function closeThere(deps: Deps, provider: PayProvider, payment: Payment, now: number) {
  await provider.close(payment.id)
  await end(deps, payment, 'CLOSED', now)
}

/** REFUSED: it answered no · DOWN: it did not answer */
type Asked = 'ANSWERED' | 'REFUSED' | 'DOWN'

async function question(deps: Deps, payment: Payment, now: number): Promise<Asked> {
  if (payment.provider === 'none') return 'ANSWERED'
  try {
    const provider = await deps.pay.get(payment.provider)
    const trade = await provider.query({ outTradeNo: payment.id, openid: payment.openid })
    await learn(deps, payment, trade, now)
    const open = trade.state === 'WAITING' || trade.state === 'UNKNOWN'
    if (open && (payment.status === 'CLOSING' || payment.expire_at + CLOSE_AFTER <= now))
      await closeThere(deps, provider, payment, now)
    return 'ANSWERED'
  } catch (err) {
    if (!(err instanceof ProviderDown || err instanceof ProviderRefused)) throw err
    const alarm = payment.asks >= ALARM_AFTER
    deps.log[alarm ? 'error' : 'warn']({ err, payment: payment.id, alarm }, 'a payment must be asked about again')
    return err instanceof ProviderDown ? 'DOWN' : 'REFUSED'
  }
}

/**
 * Asks the provider what became of a payment and acts on the answer. A payment that is not wanted any more or is past
 * its time is closed there. Providers that cannot be asked are asked again later.
 * @returns false when the provider could not be asked
 */
export const ask = async (deps: Deps, payment: Payment, now: number): Promise<boolean> =>
  (await question(deps, payment, now)) === 'ANSWERED'

/** The same for somebody who waits, not more often than the provider should be asked. */
export async function askNow(deps: Deps, payment: Payment, now: number): Promise<void> {
  const since = now - (payment.asked_at ?? payment.created_at - ASK_EVERY)
  // negative: asked while the clock was wrong
  if (since >= 0 && since < ASK_EVERY) return
  if (!served(deps.pay).includes(payment.provider)) return
  if (await claim(deps, payment, now)) await ask(deps, payment, now)
}

/** Open payments of orders that want no money any more are to be closed, whatever the reason. */
const dropUnwanted = (deps: Deps, now: number) =>
  changeDueRows(deps, now, {
    job: 'unwanted payments',
    table: 'payments',
    id: sql`payments.id`,
    due: sql`payments.status = 'CREATED' and payments.next_ask_at is not null and exists (select from orders
      where orders.id = payments.order_id and orders.status not in ('UNPAID', 'REPORTED'))`,
    change: sql`update payments set status = 'CLOSING', next_ask_at = ${now}::bigint`,
  })

const isDue = (now: number) => hasCome(sql`payments.next_ask_at`, now, MAX_WAIT)

async function askDue(deps: Deps, payment: Payment, silence: Silence, now: number): Promise<Worked> {
  const { provider } = payment
  if (silence.has(provider)) return 'LATER'
  if (!(await claim(deps, payment, now))) return false
  const asked = await question(deps, payment, now)
  if (silence.note(provider, asked !== 'DOWN'))
    await deps.db
      .updateTable('payments')
      .set({ next_ask_at: now + PUT_OFF })
      .where('provider', '=', provider)
      .where(isDue(now))
      .execute()
  return true
}

/** Finds out what no message told us: the job for payments that wait. */
export async function reconcile(deps: Deps, now: number): Promise<number> {
  await dropUnwanted(deps, now)
  const silence = createSilence()
  return forEachDueRow(deps, now, {
    job: 'payments that wait',
    due: (isOpen) =>
      deps.db
        .selectFrom('payments')
        .selectAll()
        .where(isDue(now))
        .where('provider', 'in', served(deps.pay))
        .where(isOpen(sql`payments.id`))
        .orderBy('next_ask_at')
        .limit(BATCH)
        .execute(),
    idOf: (payment) => payment.id,
    work: (payment) => askDue(deps, payment, silence, now),
  })
}
