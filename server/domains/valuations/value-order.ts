import type { Db } from '../../db/database'
import type { Valued } from '../../engine/types'
import { extendsAnswers, valuate } from '../../engine/valuate'
import type { Account } from '../games/account-identity'
import { canonicalAnswers } from '../games/answers'
import type { ActiveModel } from '../models/repository'
import { insertOrder } from '../orders/insert-order'
import { transitionOrder } from '../orders/order-transitions'
import { computedBodyOf, storeComputed, type ValuationRequest } from '../reports/store'
import { whyChanged } from '../reports/why-changed'
import { requestKey, type ValuationSubmission } from './idempotency'

/** Inserts an AI order in its first status, without an event. @returns its id */
export const insertValuation = (
  tx: Db,
  userId: string,
  s: ValuationSubmission,
  status: 'PROCESSING' | 'WAIT_AUTH',
): Promise<string> => {
  const { config, answers, source, now, askFen: ask_fen = null } = s
  return insertOrder(tx, {
    userId,
    config,
    answers,
    source,
    now,
    mode: 'AI',
    status,
    ask_fen,
    request_key: requestKey(s),
  })
}

/** Line-by-line comparison with the account's previous report. */
function changedSince(before: NonNullable<Account['latest']>, { config, answers }: ValuationRequest, after: Valued) {
  const body = computedBodyOf(before)
  if (!body) return undefined
  // the database reorders keys, so both sides are normalised before comparing
  const then = {
    answers: canonicalAnswers(config, before.inputs.answers),
    breakdown: body.breakdown,
    model: body.model,
  }
  const lines = whyChanged(then, { ...after, answers: canonicalAnswers(config, answers) })
  return { reportNo: before.report_no, at: before.created_at, beforeFen: before.predict_fen, lines }
}

interface Processing extends ValuationRequest {
  orderId: string
  userId: string
  account: Account
  /** the game's active model, if any */
  active: ActiveModel | undefined
  /** number of the expired report that this valuation replaces for free */
  renewalOf?: string | null
}

type ValuationOutcome = { status: 'REPORTED'; reportNo: string } | { status: 'INSUFFICIENT' }

/** Values an order's answers and stores the report: PROCESSING → REPORTED, or INSUFFICIENT without one. */
export async function valueOrder(tx: Db, p: Processing): Promise<ValuationOutcome> {
  const { orderId, userId, account, active, config, answers, now, source, shown = 0 } = p
  const earlier = account.earlier.filter((more) => extendsAnswers(config, more, answers))
  const step = { orderId, from: 'PROCESSING', now, actor: 'system' } as const
  const valued = active && valuate(active.model, config, answers, { now, source, shown, earlier })
  if (!active || !valued?.ok) {
    await transitionOrder(tx, { ...step, to: 'INSUFFICIENT' })
    return { status: 'INSUFFICIENT' }
  }
  const { accountId, latest } = account
  const changed = latest && changedSince(latest, p, valued)
  const reportNo = await storeComputed(tx, { ...p, earlier }, { orderId, userId, accountId, valued, active, changed })
  const patch = { report_no: reportNo, reported_at: now, revalue_of: p.renewalOf ?? null }
  await transitionOrder(tx, { ...step, to: 'REPORTED', patch })
  return { status: 'REPORTED', reportNo }
}
