import { cleanText } from '@/contract/cleanText'
import { visibleText } from '@/contract/rules'
import { DAY_MS } from '@/contract/time'
import type { Req } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { CLOCK_TOLERANCE_MS } from '../shared/due'
import { lockUser } from '../shared/locks'
import { newId } from '../shared/secrets'

const PER_DAY = 5

/**
 * Stores a user's request for a missing game; idempotent by name.
 * @throws AppError VALIDATION_FAILED, REQUEST_TOO_BUSY_PLEASE_WAIT after 5 new names in 24 hours
 */
export async function saveGameFeedback(
  { db, userId, clock }: UserCtx,
  { gameName, platform = '', remark = '' }: Req<'evaluation', 'saveGameFeedback'>,
): Promise<{ id: string }> {
  const name = gameName.trim()
  const now = clock.now()
  if (Array.from(visibleText(name)).length < 2) throw invalid([{ path: 'gameName', msg: '游戏名称至少 2 个字' }])
  return db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const mine = tx.selectFrom('game_requests').where('user_id', '=', userId)
    const existing = await mine.select('id').where('name_key', '=', keyOf(name)).executeTakeFirst()
    if (existing) return existing
    const { n } = await mine
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('created_at', '>', now - DAY_MS)
      .where('created_at', '<=', now + CLOCK_TOLERANCE_MS)
      .executeTakeFirstOrThrow()
    if (n >= PER_DAY)
      throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: `每天最多提交 ${PER_DAY} 个游戏，请明天再来` })
    const row = { id: newId(), user_id: userId, name, name_key: keyOf(name), platform: platform.trim() }
    await tx
      .insertInto('game_requests')
      .values({ ...row, remark: remark.trim(), created_at: now })
      .execute()
    return { id: row.id }
  })
}

const keyOf = (name: string): string => cleanText(name).toLowerCase().replace(/\s+/g, '')
