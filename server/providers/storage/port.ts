import { randomUUID } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { UploadToken } from '@/contract/types'
import { AppError, invalid } from '../../core/app-error'
import { compactChinaTime } from '../../core/clock'
import type { UserCtx } from '../../core/context'

/** ms: validity of an upload token (spec: 15 min) */
export const UPLOAD_TOKEN_LIFETIME_MS = 15 * 60_000
/** bytes: maximum size of one picture (spec: 10 MB) */
export const MAX_SIZE = 10 * 1024 * 1024
/** maximum of pixels: a file of a few hundred bytes can claim more than a browser has memory for */
export const MAX_PIXELS = 24_000_000
/** bytes: quota of one user's pictures */
export const USER_QUOTA_BYTES = 200 * 1024 * 1024
/** ms: validity of an address of a private picture */
export const READ_URL_LIFETIME_MS = 15 * 60_000

export const pictureTypes = ['image/jpeg', 'image/png', 'image/webp'] as const
export type PictureType = (typeof pictureTypes)[number]

export const tooLarge = () => new AppError('PAYLOAD_TOO_LARGE', { msg: `图片不能超过 ${MAX_SIZE / 1024 / 1024} MB` })

/**
 * Storage of users' pictures. The browser posts each one straight to the storage with a form signed by us (S3's POST
 * policy, or our own of the embedded storage).
 */
export interface StoragePort {
  /**
   * A signed form for keys under `u/{userId}/{date}/`, as JSON of its fields, to which the client adds `key` and
   * `Content-Type`. @throws AppError UPLOAD_QUOTA
   */
  permit(userId: string, now: number): Promise<UploadToken>
  /**
   * Stores a picture sent by staff in a user's conversation. @returns its key @throws AppError UPLOAD_TYPE,
   * UPLOAD_QUOTA
   */
  put(userId: string, file: Buffer, now: number): Promise<string>
  /** A short-lived URL for the owner or staff. */
  readUrl(key: string, now: number): Promise<string>
  /** Type of the stored bytes; undefined if there is no such object or it is not a picture. */
  typeOf(key: string): Promise<PictureType | undefined>
  /** Stores a file of ours, not a picture, under a key of the user. */
  putFile(key: string, file: Blob): Promise<void>
  /** The stored bytes; undefined if there is no such object. */
  read(key: string): Promise<Readable | undefined>
  /** Removes those of these keys that exist. */
  remove(keys: readonly string[]): Promise<void>
  /** Removes every picture of a user, including unreferenced ones. */
  removeAll(userId: string): Promise<void>
}

/**
 * `u/{userId}/{date}/{uuid}`, in S3 with eight digits of its form before the uuid. Neither dots nor further slashes are
 * allowed, which excludes path traversal.
 */
const KEY = /^u\/([A-Za-z0-9_-]{1,64})\/\d{8}\/(?:[0-9a-f]{8}-)?[0-9a-f-]{32,36}$/

/** Prefix of all pictures of a user. */
export const homeOf = (userId: string) => `u/${userId}/`
export const dirOf = (userId: string, now: number) => `${homeOf(userId)}${compactChinaTime(now).day}/`
export const newKey = (userId: string, now: number) => dirOf(userId, now) + randomUUID()
/** Folder of our own files about a user: of a day that no upload form is issued for, so that clients cannot post there. */
export const filesOf = (userId: string) => `${homeOf(userId)}00000000/`

/** User id in a well-formed key, undefined for others. */
export const ownerOf = (key: string): string | undefined => KEY.exec(key)?.[1]

/** Those of the pictures that belong to the user or to an account merged into theirs. */
export async function ownPictures(
  { db, userId }: Pick<UserCtx, 'db' | 'userId'>,
  keys: readonly string[],
): Promise<string[]> {
  if (keys.every((key) => ownerOf(key) === userId)) return [...keys]
  const former = await db.selectFrom('former_ids').select('former_id').where('user_id', '=', userId).execute()
  const ids = [userId, ...former.map((row) => row.former_id)]
  return keys.filter((key) => ids.includes(ownerOf(key) ?? ''))
}

/**
 * Checks the pictures named in a submission: owned by the user, present, and really pictures.
 * @throws AppError VALIDATION_FAILED naming each bad one as `{path}.{index}`, REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function requirePictures(by: UserCtx, keys: readonly string[], path: string): Promise<void> {
  if (keys.length === 0) return
  if (!(await by.limits.take('checkedPictures', by.userId, keys.length)))
    throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
  const own = await ownPictures(by, keys)
  const good = await Promise.all(
    keys.map(async (key) => own.includes(key) && (await by.providers.storage.typeOf(key)) !== undefined),
  )
  const fields = keys.flatMap((_, i) =>
    good[i] ? [] : [{ path: `${path}.${i}`, msg: `第 ${i + 1} 张图片上传失败，请重新上传` }],
  )
  if (fields.length > 0) throw invalid(fields)
}
