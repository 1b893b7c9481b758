/** Submitting the same valuation again yields the same order. */
import type { Req } from '@/contract/types'
import type { Db } from '../../db/database'
import { SAME_ORDER_FOR } from '../orders/insert-order'
import type { ValuationRequest } from '../reports/store'
import { sha256 } from '../shared/secrets'

export interface ValuationSubmission extends ValuationRequest {
  /** hash of the content submitted */
  contentHash: string
  /** the client's id of this attempt; '' if it gives none */
  requestId: string
  /** asking price of the pasted listing */
  askFen: number | undefined
}

/** `<contentHash>:<requestId>` */
export const requestKey = ({ contentHash, requestId }: ValuationSubmission) => `${contentHash}:${requestId}`

const contentHashOf = ({ config, answers, source }: ValuationRequest): string =>
  sha256(JSON.stringify([config.gameId, config.schemaVersion, answers, ...(source === 'TYPED' ? [] : [source])]))

/** A submission with its keys. The same answers to the same collection are the same submission. */
export const submissionOf = (
  request: ValuationRequest,
  { taskId, requestId = '', listing }: Pick<Req<'evaluation', 'submitAi'>, 'taskId' | 'requestId' | 'listing'>,
): ValuationSubmission => ({
  ...request,
  contentHash: [contentHashOf(request), ...(taskId ? [taskId] : [])].join('-'),
  requestId,
  askFen: listing?.askFen,
})

/** Orders that ended without a report to show: the same answers begin anew. */
const VOID = ['CANCELED', 'CLOSED', 'REFUNDED'] as const

/** Finds the order of an equal submission: by `requestId` without time limit, by answers alone for ten minutes. */
export const sameOrder = (db: Db, userId: string, s: ValuationSubmission) =>
  db
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('mode', '=', 'AI')
    .where('status', 'not in', VOID)
    .where((e) =>
      e.or([
        ...(s.requestId ? [e('request_key', '=', requestKey(s))] : []),
        e.and([e('request_key', 'like', `${s.contentHash}%`), e('created_at', '>', s.now - SAME_ORDER_FOR)]),
      ]),
    )
    .executeTakeFirst()
