import { chinaTime } from '../../clock'
import type { Db } from '../../db/database'
import { titleOf } from '../games/answers'
import type { ValuationRequest } from '../reports/store'
import { newId, randomDigits, sha256 } from '../shared/secrets'

/** ms in which equal answers are the same submission: double taps, second tabs, retries after a lost response */
const SAME_SUBMIT = 600_000

export interface ValuationSubmission extends ValuationRequest {
  /** hash of the content submitted */
  contentHash: string
  /** the client's id of this attempt; '' if it gives none */
  requestId: string
}

/** `<contentHash>:<requestId>` */
export const requestKey = ({ contentHash, requestId }: ValuationSubmission) => `${contentHash}:${requestId}`

export const contentHashOf = ({ config, answers, source }: ValuationRequest): string =>
  sha256(JSON.stringify([config.gameId, config.schemaVersion, answers, ...(source === 'TYPED' ? [] : [source])]))

/** Finds the order of an equal submission: by `requestId` without time limit, by answers alone for ten minutes. */
export const sameOrder = (db: Db, userId: string, s: ValuationSubmission) =>
  db
    .selectFrom('orders')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('mode', '=', 'AI')
    .where((e) =>
      e.or([
        ...(s.requestId ? [e('request_key', '=', requestKey(s))] : []),
        e.and([e('request_key', 'like', `${s.contentHash}%`), e('created_at', '>', s.now - SAME_SUBMIT)]),
      ]),
    )
    .executeTakeFirst()

/** Inserts an AI order in its first status, without an event. */
export async function insertOrder(
  tx: Db,
  userId: string,
  s: ValuationSubmission,
  status: 'PROCESSING' | 'WAIT_AUTH',
): Promise<string> {
  const { day, time } = chinaTime(s.now)
  for (;;) {
    const row = await tx
      .insertInto('orders')
      .values({
        id: newId(),
        order_no: `E${day}${time}${randomDigits(6)}`,
        user_id: userId,
        game_id: s.config.gameId,
        mode: 'AI',
        status,
        pay_status: 'UNPAID',
        title: titleOf(s.config, s.answers),
        source: s.source,
        schema_version: s.config.schemaVersion,
        answers: JSON.stringify(s.answers),
        request_key: requestKey(s),
        origin_fen: 0,
        discount_fen: 0,
        pay_fen: 0,
        report_no: null,
        created_at: s.now,
        reported_at: null,
      })
      .onConflict((c) => c.column('order_no').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) return row.id
  }
}
