/** A copy of one's own data (PIPL, article 45): asked for in the app, made by a job, downloadable for a day. */
import type { Readable } from 'node:stream'
import type { Selectable } from 'kysely'
import { DAY_MS } from '@/contract/time'
import type { Res } from '@/contract/types'
import type { Deps, UserCtx } from '../../../context'
import type { Db } from '../../../db/database'
import type { DataExportsTable } from '../../../db/tables'
import { lockUser, throttle } from '../../shared/locks'
import { newId } from '../../shared/secrets'

/** URL path of the files. */
export const DATA_EXPORTS = '/data-exports'
/** name under which a browser saves it */
export const FILE_NAME = 'my-data.zip'
/** ms a copy can be downloaded */
export const EXPORT_LIFETIME_MS = DAY_MS
/** ms after which one that was not made is forgotten */
const FORGOTTEN_AFTER = 7 * DAY_MS
/** requests per day, for those that failed */
const MAX_PER_DAY = 3
/** purpose of the encryption; data sealed for other purposes is rejected here */
const USE = 'data-export'

type State = Res<'dataExport', 'get'>
type Row = Selectable<DataExportsTable>

/** The newest one of a user that has not ended. */
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
  const url = `${origin}${DATA_EXPORTS}/${encryption.seal(id, USE)}/${FILE_NAME}`
  return { status, requestedAt, url, expireAt, bytes }
}

export async function exportState(ctx: UserCtx): Promise<State> {
  return stateOf(ctx, await newest(ctx.db, ctx.userId, ctx.clock.now()))
}

/** Asks for a copy, unless one is being made or can be downloaded. @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT */
export async function requestExport(ctx: UserCtx): Promise<State> {
  const { userId, clock } = ctx
  const now = clock.now()
  return ctx.db.transaction().execute(async (tx) => {
    await lockUser(tx, userId)
    const known = await newest(tx, userId, now)
    if (known && known.status !== 'FAILED') return stateOf(ctx, known)
    await throttle(tx, { key: `data-export:${userId}`, max: MAX_PER_DAY, window: DAY_MS, now })
    const row = await tx
      .insertInto('data_exports')
      .values({ id: newId(), user_id: userId, status: 'WAITING', requested_at: now, expire_at: now + FORGOTTEN_AFTER })
      .returningAll()
      .executeTakeFirstOrThrow()
    return stateOf(ctx, row)
  })
}

/** Ends the user's finished copies: their addresses give nothing from now on, and the expiry job removes the files. */
export async function endExports(tx: Db, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('data_exports')
    .set({ expire_at: now })
    .where('user_id', '=', userId)
    .where('status', '=', 'READY')
    .where('expire_at', '>', now)
    .execute()
}

/** The file at an address of `exportState`; undefined when it is forged or its time is over. */
export async function exportFile(
  { db, clock, encryption, storage }: Deps,
  sealed: string,
): Promise<{ stream: Readable; bytes: number } | undefined> {
  const id = openSeal(encryption, sealed)
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

function openSeal(encryption: Deps['encryption'], sealed: string): string | undefined {
  try {
    return encryption.open(sealed, USE)
  } catch {
    return undefined
  }
}
