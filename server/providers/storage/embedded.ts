/** Stores pictures in a local folder, behind a signed form like that of S3. Several machines need S3. */
import { createHmac, randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { mkdir, open, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type Kysely, sql } from 'kysely'
import { HOUR_MS } from '@/contract/time'
import { AppError } from '../../core/app-error'
import { isEqualInConstantTime } from '../../core/constant-time'
import { isMissingRow } from '../../db/retrying-kysely'
import type { DB } from '../../db/tables'
import { cleanPicture } from './picture'
import {
  dirOf,
  homeOf,
  MAX_SIZE,
  newKey,
  ownerOf,
  type PictureType,
  READ_URL_LIFETIME_MS,
  type StoragePort,
  tooLarge,
  UPLOAD_TOKEN_LIFETIME_MS,
  USER_QUOTA_BYTES,
} from './port'

/** Path to which the form is posted and from which pictures are read. */
export const UPLOADS = '/uploads'
/** Route of the signed addresses. */
export const SIGNED_ADDRESS = `${UPLOADS}/*`

export interface StoredPicture {
  type: PictureType
  size: number
  stream: Readable
}

export interface EmbeddedStorage extends StoragePort {
  /**
   * Stores a posted file. Idempotent: the first picture under a key stays, and a retry is accepted. A refused or
   * interrupted upload leaves nothing behind.
   * @param form fields before the file, names in lower case
   * @throws AppError UPLOAD_REFUSED, PAYLOAD_TOO_LARGE, UPLOAD_TYPE, UPLOAD_QUOTA
   */
  accept(form: ReadonlyMap<string, string>, file: Readable, now: number): Promise<void>
  /** The picture at a validly signed address; undefined otherwise. */
  open(key: string, expires: string, signature: string, now: number): Promise<StoredPicture | undefined>
}

interface Options {
  /** absolute path; created if missing */
  dir: string
  db: Kysely<DB>
  /** signing key, never sent to clients */
  secret: string
}

interface Upload {
  key: string
  file: Readable
  /** ms */
  now: number
}

/** Fields of a form besides those that the signature covers: `key` is checked against the signed folder. */
const FORM_FIELDS = new Set(['dir', 'expires', 'signature', 'key', 'content-type'])

/** Removes partial uploads of killed processes, but not those another process receives into the same folder. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    const { mtimeMs = Date.now() } = statSync(file, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs < Date.now() - HOUR_MS) rmSync(file, { force: true })
  }
}

export function createEmbeddedStorage({ dir, db, secret }: Options): EmbeddedStorage {
  const halves = path.join(dir, '.half')
  mkdirSync(halves, { recursive: true })
  removeAbandoned(halves)
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
      field('key').startsWith(dir) &&
      field('content-type').startsWith('image/') &&
      [...form.keys()].every((name) => FORM_FIELDS.has(name))
    )
  }

  async function store(of: Kysely<DB>, { key, file, now }: Upload) {
    const sent = path.join(halves, randomUUID())
    const half = `${sent}-clean`
    try {
      await writeUpload(file, sent)
      const { type, size } = await cleanPicture(sent, half)
      await keep(of, { key, userId: ownerOf(key) ?? '', size, type, now }, async () => {
        await mkdir(path.dirname(fileOf(key)), { recursive: true })
        await rename(half, fileOf(key))
      }).catch((error: unknown) => {
        // the account was merged into another one after the form was issued
        throw isMissingRow(error) ? new AppError('UPLOAD_REFUSED') : error
      })
    } finally {
      await Promise.all([rm(sent, { force: true }), rm(half, { force: true })])
    }
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
      await store(db, { key, file, now })
    },

    async put(userId, file, now) {
      const key = newKey(userId, now)
      await store(db, { key, file: Readable.from([file]), now })
      return key
    },

    async readUrl(key, now) {
      const expires = String(now + READ_URL_LIFETIME_MS)
      return `${UPLOADS}/${key}?expires=${expires}&signature=${signatureOf('read', key, expires)}`
    },

    async open(key, expires, signature, now) {
      if (!isEqualInConstantTime(signature, signatureOf('read', key, expires))) return undefined
      if (!(Number(expires) > now) || !ownerOf(key)) return undefined
      const row = await rowOf(db, key)
      return row && { type: row.type, size: row.bytes, stream: createReadStream(fileOf(key)) }
    },

    async putFile(key, file) {
      const half = path.join(halves, randomUUID())
      try {
        await pipeline(
          Readable.fromWeb(file.stream() as Parameters<typeof Readable.fromWeb>[0]),
          createWriteStream(half, { flags: 'wx', mode: 0o600 }),
        )
        await mkdir(path.dirname(fileOf(key)), { recursive: true })
        await rename(half, fileOf(key))
      } finally {
        await rm(half, { force: true })
      }
    },

    async read(key) {
      if (!ownerOf(key)) return undefined
      const file = await open(fileOf(key), 'r').catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined
        throw error
      })
      return file?.createReadStream()
    },

    typeOf: async (key) => (ownerOf(key) ? (await rowOf(db, key))?.type : undefined),

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

/** Writes the stream to a file and stops at the first byte above the limit. @throws AppError PAYLOAD_TOO_LARGE */
async function writeUpload(file: Readable, to: string): Promise<void> {
  let size = 0
  await pipeline(
    file,
    async function* (source: AsyncIterable<Buffer>) {
      for await (const part of source) {
        size += part.length
        if (size > MAX_SIZE) throw tooLarge()
        yield part
      }
    },
    createWriteStream(to, { flags: 'wx', mode: 0o600 }),
  )
}

interface Kept {
  key: string
  userId: string
  size: number
  type: PictureType
  now: number
}

/**
 * Inserts the row and moves the file under a lock of the user, so that parallel uploads cannot exceed the quota
 * together. A picture with this key that exists is kept, because one that has been viewed must not change.
 */
function keep(db: Kysely<DB>, { key, userId, size, type, now }: Kept, move: () => Promise<void>): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext(${`uploads:${userId}`}))`.execute(tx)
    const { used } = await tx
      .selectFrom('uploads')
      .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('used'))
      .where('user_id', '=', userId)
      .where('key', '<>', key)
      .executeTakeFirstOrThrow()
    if (used + size > USER_QUOTA_BYTES) throw new AppError('UPLOAD_QUOTA')
    const row = await tx
      .insertInto('uploads')
      .values({ key, user_id: userId, bytes: size, type, created_at: now })
      .onConflict((c) => c.column('key').doNothing())
      .returning('key')
      .executeTakeFirst()
    if (row) await move()
  })
}
