import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { DB } from './tables'

/**
 * A random secret shared by all processes of one database, created on first use. Unlike SIGN_SECRET it never leaves the
 * server, so it can authenticate data.
 */
export async function secretOf(db: Kysely<DB>, name: string): Promise<string> {
  await db
    .insertInto('server_secrets')
    .values({ name, value: randomBytes(32).toString('base64url') })
    .onConflict((c) => c.column('name').doNothing())
    .execute()
  return (await db.selectFrom('server_secrets').select('value').where('name', '=', name).executeTakeFirstOrThrow())
    .value
}
