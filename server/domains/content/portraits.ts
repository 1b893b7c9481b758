import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../core/app-error'
import type { OpenCtx } from '../../core/context'
import type { Db } from '../../db/database'
import { cleanPictureBytes } from '../../providers/storage/picture'
import { addressFrom } from './content'

/** URL path of the uploaded pictures. */
export const PORTRAITS = '/content/portraits/'
/** bytes: a square of 600 pixels needs a tenth of it */
export const MAX_PORTRAIT_BYTES = 512 * 1024

/** `staff.avatar` of an uploaded picture; other values are file names of the content folder, which have no slash. */
const UPLOADED = /^portrait\/([0-9a-f]{32})$/

/**
 * Stores a picture without its metadata.
 * @returns the value of `staff.avatar`
 * @throws AppError UPLOAD_TYPE: not one whole picture · PAYLOAD_TOO_LARGE: above 512 KB
 */
export async function storePortrait(tx: Db, file: Buffer, now: number): Promise<string> {
  if (file.length > MAX_PORTRAIT_BYTES)
    throw new AppError('PAYLOAD_TOO_LARGE', { msg: `照片不能超过 ${MAX_PORTRAIT_BYTES / 1024} KB` })
  const { type, bytes } = await cleanPictureBytes(file)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  await tx
    .insertInto('portraits')
    .values({ hash, type, bytes, created_at: now })
    .onConflict((c) => c.doNothing())
    .execute()
  return `portrait/${hash}`
}

/** Deletes pictures that no member of the staff has any more. */
export const removeUnusedPortraits = (tx: Db): Promise<unknown> =>
  sql`delete from portraits p where not exists (select from staff where avatar = 'portrait/' || p.hash)`.execute(tx)

export const isPortrait = async (db: Db, avatar: string): Promise<boolean> => {
  const hash = UPLOADED.exec(avatar)?.[1]
  return hash !== undefined && (await portraitOf(db, hash)) !== undefined
}

/** An uploaded picture by its hash. */
export const portraitOf = (db: Db, hash: string) =>
  db.selectFrom('portraits').select(['type', 'bytes']).where('hash', '=', hash).executeTakeFirst()

/** Address of the picture of a member of the staff, uploaded or from the content folder; undefined without one. */
export function staffPicture(ctx: OpenCtx, avatar: string): string | undefined {
  const hash = UPLOADED.exec(avatar)?.[1]
  const path = hash ? PORTRAITS + hash : ctx.content.picture(avatar)?.src
  return path && addressFrom(ctx, path)
}
