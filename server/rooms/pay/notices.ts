import type { Deps } from '../../context'
import { ForgedNotice, type Notice, type ProviderName, type RawNotice } from '../../providers/pay/port'
import { sha256 } from '../secrets'
import { ask, learn } from './ask'
import { conclude } from './refunds'

/** DONE: told and stored · FORGED: not the provider's · REFUSED: it does not fit what we know; nothing was changed */
export type Received = 'DONE' | 'FORGED' | 'REFUSED'

const paymentOf = ({ db }: Deps, id: string) =>
  db.selectFrom('payments').selectAll().where('id', '=', id).executeTakeFirst()

async function onRefund(deps: Deps, notice: Extract<Notice, { kind: 'REFUND' }>, name: ProviderName, now: number) {
  const refund = await deps.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.payment_id')
    .selectAll('refunds')
    .where('refunds.id', '=', notice.refundNo)
    .where('payments.provider', '=', name)
    .executeTakeFirst()
  if (!refund) return undefined
  await conclude(deps, refund, notice.refund, now)
  return { subject: refund.id, outcome: notice.refund.state }
}

async function onTrade(deps: Deps, notice: Exclude<Notice, { kind: 'REFUND' }>, name: ProviderName, now: number) {
  const payment = await paymentOf(deps, notice.outTradeNo)
  if (payment?.provider !== name) return undefined
  if (notice.kind === 'LOOK')
    return (await ask(deps, payment, now)) ? { subject: payment.id, outcome: 'LOOKED' } : undefined
  const outcome = await learn(deps, payment, notice.trade, now)
  return outcome === 'REFUSED' ? undefined : { subject: payment.id, outcome: outcome ?? notice.trade.state }
}

/**
 * A message of a provider: proved, acted on in its own transaction, then noted once. Sent twice, or again after we died
 * in between, it changes nothing more. Only DONE may be acknowledged.
 */
export async function receive(deps: Deps, name: ProviderName, raw: RawNotice): Promise<Received> {
  const now = deps.clock.now()
  let notice: Notice
  try {
    notice = await (await deps.pay.get(name)).notice(raw)
  } catch (err) {
    if (!(err instanceof ForgedNotice || err instanceof SyntaxError)) throw err
    deps.log.warn({ provider: name, why: err instanceof ForgedNotice ? err.message : 'not readable' }, 'forged notice')
    return 'FORGED'
  }
  const acted = await (notice.kind === 'REFUND' ? onRefund : onTrade)(deps, notice as never, name, now)
  if (!acted) {
    deps.log.error({ alarm: true, provider: name, kind: notice.kind }, 'a message that does not fit')
    return 'REFUSED'
  }
  await deps.db
    .insertInto('provider_notices')
    .values({ provider: name, digest: sha256(raw.body), ...acted, at: now })
    .onConflict((c) => c.columns(['provider', 'digest']).doNothing())
    .execute()
  return 'DONE'
}
