import { randomUUID } from 'node:crypto'
import { AppError, invalid } from '../../app-error'
import { chinaTime } from '../../clock'
import type { Db } from '../../db/database'

/** ms an upload token lives (spec: 15 min) */
export const TOKEN_FOR = 15 * 60_000
/** bytes of one picture (spec: 10 MB) */
export const MAX_SIZE = 10 * 1024 * 1024
/** ms an address for looking at a private picture lives */
export const READ_FOR = 15 * 60_000

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

export const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', { msg: `图片不能超过 ${MAX_SIZE / 1024 / 1024} MB` })

/** What a client needs to upload: `token` is JSON text of the form fields, `key` and `Content-Type` are added by it. */
export interface UploadToken {
  token: string
  /** where to post: an address, or a path of this server */
  host: string
  /** keys start with it */
  dir: string
  expireAt: number
  maxSize: number
}

/**
 * Pictures of users behind one S3-style upload path: a form signed by us (SigV4 POST policy) that the browser posts
 * straight to the storage.
 */
export interface StoragePort {
  /** A signed form for keys under `u/{userId}/{date}/`. */
  permit(userId: string, now: number): Promise<UploadToken>
  /** Keeps what the staff sends into a user's conversation. @returns its key @throws AppError UPLOAD_TYPE, UPLOAD_QUOTA */
  put(userId: string, file: Buffer, now: number): Promise<string>
  /** A short-lived address for the owner or the staff. */
  readUrl(key: string, now: number): Promise<string>
  /** What the stored bytes are; undefined when there is no such object or it is no picture. */
  typeOf(key: string): Promise<PictureType | undefined>
  /** Removes what exists of these. */
  remove(keys: readonly string[]): Promise<void>
  /** Removes every picture of a user, also those that nothing names. */
  removeAll(userId: string): Promise<void>
}

/**
 * `u/{userId}/{date}/{uuid}`, in S3 with eight digits of its form before the uuid. No dots and no other slashes, so a key
 * cannot climb out of its folder.
 */
const KEY = /^u\/([A-Za-z0-9_-]{1,64})\/\d{8}\/(?:[0-9a-f]{8}-)?[0-9a-f-]{32,36}$/

/** Everything of a user. */
export const homeOf = (userId: string) => `u/${userId}/`
export const dirOf = (userId: string, now: number) => `${homeOf(userId)}${chinaTime(now).day}/`
export const newKey = (userId: string, now: number) => dirOf(userId, now) + randomUUID()

/** User id in a well-formed key. */
export const ownerOf = (key: string): string | undefined => KEY.exec(key)?.[1]

interface Submitter {
  storage: StoragePort
  db: Db
  userId: string
}

/** Whether a picture is the user's, also by an account that was joined to theirs. */
export const isOwn = async (by: Pick<Submitter, 'db' | 'userId'>, key: string): Promise<boolean> =>
  (await ownIds(by, [key])).includes(ownerOf(key) ?? '')

/** Whose pictures a user may name: their own, and those of accounts that were joined to theirs. */
async function ownIds(
  { db, userId }: Pick<Submitter, 'db' | 'userId'>,
  keys: readonly string[],
): Promise<readonly string[]> {
  if (keys.every((key) => ownerOf(key) === userId)) return [userId]
  const former = await db.selectFrom('former_ids').select('former_id').where('user_id', '=', userId).execute()
  return [userId, ...former.map((row) => row.former_id)]
}

/**
 * Pictures named in a submission: the user's own, really there, really pictures.
 * @throws AppError VALIDATION_FAILED naming each bad one as `{path}.{index}`
 */
export async function requirePictures(by: Submitter, keys: readonly string[], path: string): Promise<void> {
  const ids = await ownIds(by, keys)
  const good = await Promise.all(
    keys.map(async (key) => ids.includes(ownerOf(key) ?? '') && (await by.storage.typeOf(key)) !== undefined),
  )
  const fields = keys.flatMap((_, i) =>
    good[i] ? [] : [{ path: `${path}.${i}`, msg: `第 ${i + 1} 张图片上传失败，请重新上传` }],
  )
  if (fields.length > 0) throw invalid(fields)
}
