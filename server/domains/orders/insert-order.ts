import type { Insertable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { compactChinaTime } from '../../core/clock'
import type { Db } from '../../db/database'
import type { Orders } from '../../db/tables'
import { titleOf } from '../games/answers'
import { newId, randomDigits } from '../shared/secrets'

type Row = Insertable<Orders>

/** ms in which an equal request returns the same order: double taps, second tabs, retries after a lost response */
export const SAME_ORDER_FOR = 600_000

interface NewOrder extends Pick<Row, 'mode' | 'status' | 'source' | 'ask_fen' | 'request_key'> {
  userId: string
  config: FormConfig
  answers: Answers
  /** ms */
  now: number
  /** price before a coupon, fen; 0: costs nothing until it is unlocked */
  originFen?: number
  manual?: Pick<Row, 'level' | 'images' | 'remark' | 'pay_expire_at'>
}

/** Inserts an order in its first status, without the event. @returns its id */
export async function insertOrder(tx: Db, order: NewOrder): Promise<string> {
  const { userId, config, answers, now, originFen = 0, manual, ...columns } = order
  const { day, time } = compactChinaTime(now)
  for (;;) {
    const row = await tx
      .insertInto('orders')
      .values({
        ...{ ...columns, ...manual },
        id: newId(),
        order_no: `${order.mode === 'AI' ? 'E' : 'M'}${day}${time}${randomDigits(6)}`,
        user_id: userId,
        game_id: config.gameId,
        pay_status: 'UNPAID',
        title: titleOf(config, answers),
        schema_version: config.schemaVersion,
        answers: JSON.stringify(answers),
        origin_fen: originFen,
        discount_fen: 0,
        pay_fen: originFen,
        report_no: null,
        created_at: now,
        reported_at: null,
      })
      .onConflict((c) => c.column('order_no').doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) return row.id
  }
}
