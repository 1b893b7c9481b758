import { invalid } from '../core/app-error'
import type { Db } from '../db/database'

/**
 * Finds the user by mobile number or id.
 * @throws AppError VALIDATION_FAILED
 */
export async function findUserByInput(db: Db, typed: string): Promise<string> {
  const text = typed.replace(/\s/g, '')
  const row = await db
    .selectFrom('users')
    .select('id')
    .where((e) => e.or([e('mobile', '=', text), e('id', '=', text)]))
    .where('erased', '=', false)
    .executeTakeFirst()
  if (!row) throw invalid([{ path: 'who', msg: '没有这位用户，请核对手机号或用户 ID' }])
  return row.id
}
