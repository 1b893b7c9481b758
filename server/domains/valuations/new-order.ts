import { chinaTime } from '../../clock'
import type { Db } from '../../db/database'
import { titleOf } from '../games/answers'
import type { Asked } from '../reports/store'
import { newId, randomDigits, sha256 } from '../shared/secrets'

/** ms in which the same answers are the same submission: a double tap, a second tab, a retry after a lost answer */
const SAME_SUBMIT = 600_000

export interface Submission extends Asked {
  /** of what is submitted: equal submissions have one hash */
  contentHash: string
  /** the client's own name for this try; '' where it gives none */
  requestId: string
}

/** `<contentHash>:<requestId>` */
export const requestKey = ({ contentHash, requestId }: Submission) => `${contentHash}:${requestId}`

export const contentHashOf = ({ config, answers, source }: Asked): string =>
  sha256(JSON.stringify([config.gameId, config.schemaVersion, answers, ...(source === 'TYPED' ? [] : [source])]))

/** A draft that is sent again is the same order however much later; the same answers from anywhere, for ten minutes. */
export const sameOrder = (db: Db, userId: string, s: Submission) =>
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

/** A new AI order in its first status, not yet in the order's log. */
export async function insertOrder(
  tx: Db,
  userId: string,
  s: Submission,
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
