/** Data export (PIPL, article 45): requested in the app, made by a job, downloadable for a day. */
import type { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Res } from '@/contract/types'
import type { Deps, UserCtx } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { DataExports } from '../../../db/tables'
import { lockUser } from '../../shared/locks'
import { newId } from '../../shared/secrets'

/** URL path of the files. */
export const DATA_EXPORTS = '/data-exports'
/** file name proposed to browsers */
export const FILE_NAME = 'my-data.zip'
/** ms an export can be downloaded */
export const EXPORT_LIFETIME_MS = DAY_MS
/** ms after which an export that could not be made is deleted */
const FORGOTTEN_AFTER = 7 * DAY_MS
/** purpose of the encryption; data encrypted for other purposes is rejected here */
const USE = 'data-export'

type State = Res<'dataExport', 'get'>
type Row = Selectable<DataExports>

/** The user's newest export that is in progress or can be downloaded. */
const newest = (db: Db, userId: string, now: number): Promise<Row | undefined> =>
  db
    .selectFrom('data_exports')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expire_at', '>', now)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()

function stateOf({ encryption, origin }: UserCtx, row: Row | undefined): State {
  if (!row) return { status: 'NONE' }
  const { status, id, bytes, requested_at: requestedAt, expire_at: expireAt } = row
  if (status !== 'READY' || bytes === null) return { status, requestedAt }
  const url = `${origin}${DATA_EXPORTS}/${encryption.encrypt(id, USE)}/${FILE_NAME}`
  return { status, requestedAt, url, expireAt, bytes }
}

export async function exportState(ctx: UserCtx): Promise<State> {
  return stateOf(ctx, await newest(ctx.db, ctx.userId, ctx.clock.now()))
}

/** Requests an export, unless one is in progress or can be downloaded. @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT */
export async function requestExport(ctx: UserCtx): Promise<State> {
  const { userId, clock } = ctx
  const now = clock.now()
  const previous = await newest(ctx.db, userId, now)
  if (previous && previous.status !== 'FAILED') return stateOf(ctx, previous)
  await ctx.limits.enforce('dataExport', userId)
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const latest = await newest(tx, userId, now)
    if (latest && latest.status !== 'FAILED') return stateOf(ctx, latest)
    const row = await tx
      .insertInto('data_exports')
      .values({ id: newId(), user_id: userId, status: 'WAITING', requested_at: now, expire_at: now + FORGOTTEN_AFTER })
      .returningAll()
      .executeTakeFirstOrThrow()
    return stateOf(ctx, row)
  })
}

/** Expires the user's finished exports: their addresses stop working at once, and the expiry job removes the files. */
export async function endExports(tx: Db, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('data_exports')
    .set({ expire_at: now })
    .where('user_id', '=', userId)
    .where('status', '=', 'READY')
    .where('expire_at', '>', now)
    .execute()
}

/** The file at an address from `exportState`; undefined when the address is forged or expired. */
export async function exportFile(
  { db, clock, encryption, providers: { storage } }: Deps,
  encrypted: string,
): Promise<{ stream: Readable; bytes: number } | undefined> {
  const id = decryptId(encryption, encrypted)
  if (id === undefined) return undefined
  const row = await db
    .selectFrom('data_exports')
    .select(['key', 'bytes'])
    .where('id', '=', id)
    .where('status', '=', 'READY')
    .where('expire_at', '>', clock.now())
    .executeTakeFirst()
  if (!row?.key || row.bytes === null) return undefined
  const stream = await storage.read(row.key)
  return stream && { stream, bytes: row.bytes }
}

function decryptId(encryption: Deps['encryption'], encrypted: string): string | undefined {
  try {
    return encryption.decrypt(encrypted, USE)
  } catch {
    return undefined
  }
}
