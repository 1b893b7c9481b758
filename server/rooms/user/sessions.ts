import type { Db } from '../../db/database'
import { newToken, sha256 } from '../secrets'

/** ms a login lasts */
const SESSION_TTL = 30 * 86_400_000

/** Logs the user in. Only the token's SHA-256 is stored, so a stolen table opens no account. */
export async function createSession(db: Db, userId: string, now: number): Promise<string> {
  const token = newToken()
  await db
    .insertInto('sessions')
    .values({ token_hash: sha256(token), user_id: userId, created_at: now, expires_at: now + SESSION_TTL })
    .execute()
  return token
}

/** Owner of a token, or undefined when it is missing, unknown or expired. */
export async function userOfToken(db: Db, token: string, now: number): Promise<string | undefined> {
  if (!/^[\w-]{20,100}$/.test(token)) return undefined
  const row = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('token_hash', '=', sha256(token))
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return row?.user_id
}
