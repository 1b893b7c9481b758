/** Stores pictures in a local folder, behind a signed form like that of S3. Several machines need S3. */
import { createHmac } from 'node:crypto'
import { createReadStream, mkdirSync } from 'node:fs'
import { mkdir, open, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../core/app-error'
import { isEqualInConstantTime } from '../../core/constant-time'
import { isMissingRow } from '../../db/retrying-kysely'
import type { DB } from '../../db/tables'
import { type Arriving, cleanPicture } from './picture'
import {
  dirOf,
  homeOf,
  MAX_SIZE,
  newKey,
  ownerOf,
  type PictureType,
  READ_URL_LIFETIME_MS,
  type StoragePort,
  UPLOAD_TOKEN_LIFETIME_MS,
  USER_QUOTA_BYTES,
} from './port'

/** Path to which the form is posted and from which pictures are read. */
export const UPLOADS = '/uploads'
/** Route of the signed addresses. */
export const SIGNED_ADDRESS = `${UPLOADS}/*`

export interface EmbeddedStorage extends StoragePort {
  /**
   * Stores a posted file. Idempotent: the first picture under a key stays, and a retry is accepted. A refused or
   * interrupted upload leaves nothing behind.
   * @param form fields before the file, names in lower case
   * @throws AppError UPLOAD_REFUSED, PAYLOAD_TOO_LARGE, UPLOAD_TYPE, UPLOAD_QUOTA
   */
  accept(form: ReadonlyMap<string, string>, file: Readable, now: number): Promise<void>
  /** The picture at a validly signed address; undefined otherwise. */
  open(
    key: string,
    expires: string,
    signature: string,
    now: number,
  ): Promise<{ type: PictureType; size: number; stream: Readable } | undefined>
}

interface Options {
  /** absolute path; created if missing */
  dir: string
  db: Kysely<DB>
  /** signing key, never sent to clients */
  secret: string
}

export function createEmbeddedStorage({ dir, db, secret }: Options): EmbeddedStorage {
  mkdirSync(dir, { recursive: true })
  const fileOf = (key: string) => path.join(dir, key)
  const signatureOf = (use: 'read' | 'post', what: string, expires: string) =>
    createHmac('sha256', secret).update(`${use}\n${what}\n${expires}`).digest('base64url')

  /** Whether this server issued the form, for this key, and it has not expired. */
  function isPermitted(form: ReadonlyMap<string, string>, now: number): boolean {
    const field = (name: string) => form.get(name) ?? ''
    const [dir, expires] = [field('dir'), field('expires')]
    return (
      isEqualInConstantTime(field('signature'), signatureOf('post', dir, expires)) &&
      Number(expires) > now &&
      field('key').startsWith(dir)
    )
  }

  /** Writes a file that no row names yet, so that what a kill leaves of it is written again. */
  async function write(key: string, content: Parameters<typeof writeFile>[1]): Promise<void> {
    await mkdir(path.dirname(fileOf(key)), { recursive: true })
    await writeFile(fileOf(key), content, { mode: 0o600 })
  }

  /**
   * Stores a picture under a lock of the user, so that parallel uploads cannot exceed the quota together. A picture with
   * this key that exists is kept, because one that has been viewed must not change.
   */
  async function store(key: string, file: Arriving, now: number): Promise<void> {
    const { type, bytes } = await cleanPicture(file)
    const userId = ownerOf(key) ?? ''
    const stored = db.transaction().execute(async (tx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`uploads:${userId}`}))`.execute(tx)
      const { used } = await tx
        .selectFrom('uploads')
        .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('used'))
        .where('user_id', '=', userId)
        .where('key', '<>', key)
        .executeTakeFirstOrThrow()
      if (used + bytes.length > USER_QUOTA_BYTES) throw new AppError('UPLOAD_QUOTA')
      const row = await tx
        .insertInto('uploads')
        .values({ key, user_id: userId, bytes: bytes.length, type, created_at: now })
        .onConflict((c) => c.column('key').doNothing())
        .returning('key')
        .executeTakeFirst()
      if (row) await write(key, bytes)
    })
    await stored.catch((error: unknown) => {
      // the account was merged into another one after the form was issued
      throw isMissingRow(error) ? new AppError('UPLOAD_REFUSED') : error
    })
  }

  return {
    async permit(userId, now) {
      const dir = dirOf(userId, now)
      const expireAt = now + UPLOAD_TOKEN_LIFETIME_MS
      const expires = String(expireAt)
      const token = JSON.stringify({ dir, expires, signature: signatureOf('post', dir, expires) })
      return { token, host: UPLOADS, dir, expireAt, maxSize: MAX_SIZE }
    },

    async accept(form, file, now) {
      const key = form.get('key') ?? ''
      if (!isPermitted(form, now) || !ownerOf(key)) throw new AppError('UPLOAD_REFUSED')
      await store(key, file, now)
    },

    async put(userId, file, now) {
      const key = newKey(userId, now)
      await store(key, [file], now)
      return key
    },

    async readUrl(key, now) {
      const expires = String(now + READ_URL_LIFETIME_MS)
      return `${UPLOADS}/${key}?expires=${expires}&signature=${signatureOf('read', key, expires)}`
    },

    async open(key, expires, signature, now) {
      if (!isEqualInConstantTime(signature, signatureOf('read', key, expires))) return undefined
      if (!(Number(expires) > now)) return undefined
      const row = await rowOf(db, key)
      return row && { type: row.type, size: row.bytes, stream: createReadStream(fileOf(key)) }
    },

    putFile: (key, file) => write(key, file.stream()),

    async read(key) {
      if (!ownerOf(key)) return undefined
      const file = await open(fileOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return file?.createReadStream()
    },

    typeOf: async (key) => (await rowOf(db, key))?.type,

    async remove(keys) {
      const own = keys.filter(ownerOf)
      if (own.length === 0) return
      await Promise.all(own.map((key) => rm(fileOf(key), { force: true })))
      await db.deleteFrom('uploads').where('key', 'in', own).execute()
    },

    async removeAll(userId) {
      await rm(fileOf(homeOf(userId)), { recursive: true, force: true })
      await db.deleteFrom('uploads').where('user_id', '=', userId).execute()
    },
  }
}

const rowOf = (db: Kysely<DB>, key: string) =>
  db.selectFrom('uploads').select(['type', 'bytes']).where('key', '=', key).executeTakeFirst()
