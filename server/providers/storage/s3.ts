/** Stores pictures in S3 or a service with its POST policy (MinIO; COS and OSS through their S3 interfaces). */
import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { LRUCache } from 'lru-cache'
import { AppError } from '../../core/app-error'
import { DependencyUnavailable } from '../../core/dependency-error'
import { reasonOf } from '../../core/start-error'
import type { S3Settings } from '../../settings'
import { cleanPicture, cleanPictureBytes } from './picture'
import {
  dirOf,
  filesOf,
  homeOf,
  MAX_SIZE,
  newKey,
  ownerOf,
  type PictureType,
  pictureTypes,
  READ_URL_LIFETIME_MS,
  type StoragePort,
  tooLarge,
  UPLOAD_TOKEN_LIFETIME_MS,
  USER_QUOTA_BYTES,
} from './port'

/** ms: time limit of transfers in the background and of those by staff */
const TIMEOUT = 20_000
/** ms: time limit of a whole file, which may be large and whose reader may be slow */
const FILE_WITHIN = 10 * 60_000
/** ms: a form waits no longer for the listing of what its user has uploaded */
const LISTING_WITHIN = 5000
/** Pages of up to a thousand objects that are listed for the quota; who has posted more has used it up. */
const MAX_PAGES = 10
/** ms a request waits for a check of a picture, which continues without it; the next request finds it checked */
const CHECK_WAIT = 2000
/** checks that may run at once, or have just ended */
const MAX_CHECKS = 1000

/** Metadata of an object that this server has encoded. The form allows clients none. */
const ENCODED = { encoded: '1' } as const

const ignore = () => undefined
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }
const statusOf = (error: unknown) => (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined)

/** @param realNow time for signatures: the storage checks them against the real time, not the sandbox's */
export function createS3Storage(settings: S3Settings, realNow: () => number = Date.now): StoragePort {
  const { endpoint, region, bucket: Bucket, accessKeyId, secretAccessKey } = settings
  const client = new S3Client({
    // every compatible server supports the bucket in the path, while a host name of its own needs DNS
    ...{ endpoint, region, forcePathStyle: true, credentials: { accessKeyId, secretAccessKey } },
    // a request that fails is asked again by its user or job, and its error is logged
    ...{ maxAttempts: 1, logger: silent },
    // newer checksums are unknown to compatible servers
    ...{ requestChecksumCalculation: 'WHEN_REQUIRED', responseChecksumValidation: 'WHEN_REQUIRED' },
  })
  /** The client, which signs by the given clock. */
  const current = () => {
    client.config.systemClockOffset = realNow() - Date.now()
    return client
  }
  /**
   * Sends a request. @returns undefined where nothing has that key
   * @throws DependencyUnavailable, also when the storage refuses (revoked key, closed bucket): the operator can fix it
   */
  const send = async <T>(
    ask: (to: S3Client, abortSignal: AbortSignal) => Promise<T>,
    within = TIMEOUT,
  ): Promise<T | undefined> => {
    try {
      return await ask(current(), AbortSignal.timeout(within))
    } catch (cause) {
      if (statusOf(cause) === 404) return undefined
      throw statusOf(cause) === 413 ? tooLarge() : new DependencyUnavailable(`S3: ${reasonOf(cause)}`, { cause })
    }
  }
  const write = async (put: Omit<PutObjectCommandInput, 'Bucket'>, within?: number) => {
    const written = await send(
      (to, abortSignal) => to.send(new PutObjectCommand({ Bucket, ...put }), { abortSignal }),
      within,
    )
    if (!written) throw new DependencyUnavailable('S3: the bucket does not exist')
  }
  const read = (Key: string, within?: number) =>
    send((to, abortSignal) => to.send(new GetObjectCommand({ Bucket, Key }), { abortSignal }), within)
  const remove = (keys: readonly string[]) =>
    Promise.all(
      keys.map((Key) => send((to, abortSignal) => to.send(new DeleteObjectCommand({ Bucket, Key }), { abortSignal }))),
    )
  /** Up to a thousand objects after a key. A client may have put any character into its names, so they come encoded. */
  const list = async (Prefix: string, { within = TIMEOUT, after = '' } = {}) => {
    const command = new ListObjectsV2Command({
      Bucket,
      Prefix,
      EncodingType: 'url',
      ...(after && { StartAfter: after }),
    })
    const found = await send((to, abortSignal) => to.send(command, { abortSignal }), within)
    if (!found) throw new DependencyUnavailable('S3: the bucket does not exist')
    return (found.Contents ?? []).map(({ Key = '', Size = 0 }) => ({
      key: decodeURIComponent(Key.replaceAll('+', ' ')),
      bytes: Size,
    }))
  }
  /** Bytes of a user's pictures, as far as they matter for the quota, whatever names the client gave them. */
  const postedBy = async (userId: string): Promise<number> => {
    const ours = filesOf(userId)
    let posted = 0
    let after = ''
    for (let page = 0; posted < USER_QUOTA_BYTES; page += 1) {
      if (page === MAX_PAGES) return USER_QUOTA_BYTES
      const found = await list(homeOf(userId), { within: LISTING_WITHIN, after })
      posted += found.reduce((sum, { key, bytes }) => sum + (key.startsWith(ours) ? 0 : bytes), 0)
      after = found.at(-1)?.key ?? ''
      if (!after) break
    }
    return posted
  }

  /** Encodes a picture that was posted straight into the bucket. @returns its type; `none` if it is not a picture */
  async function encodePosted(key: string): Promise<PictureType | 'none'> {
    const found = await read(key)
    if (!(found?.Body instanceof Readable) || (found.ContentLength ?? 0) > MAX_SIZE) return 'none'
    const dir = await mkdtemp(path.join(tmpdir(), 'picture-'))
    try {
      const [sent, clean] = [path.join(dir, 'sent'), path.join(dir, 'clean')]
      await pipeline(found.Body, createWriteStream(sent), { signal: AbortSignal.timeout(TIMEOUT) })
      const { type, size } = await cleanPicture(sent, clean)
      await write({
        Key: key,
        Body: createReadStream(clean),
        ContentLength: size,
        ContentType: type,
        Metadata: ENCODED,
      })
      return type
    } catch (error) {
      if (error instanceof AppError && error.code === 'UPLOAD_TYPE') return 'none'
      throw error
    } finally {
      await rm(dir, { recursive: true, force: true })
    }
  }

  const checks = new LRUCache<string, PictureType | 'none'>({
    max: MAX_CHECKS,
    async fetchMethod(key) {
      const found = await send((to, abortSignal) =>
        to.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal }),
      )
      if (!found) return 'none'
      const type = pictureTypes.find((type) => type === found.ContentType)
      return type && found.Metadata?.encoded === ENCODED.encoded ? type : encodePosted(key)
    },
  })

  async function typeOf(key: string): Promise<PictureType | undefined> {
    const late = delay(CHECK_WAIT, undefined, { ref: false })
    const type = await Promise.race([checks.fetch(key), late])
    if (!type) throw new AppError('SERVICE_UNAVAILABLE', { msg: '图片还在检查，请稍后再提交' })
    // only calls at the same time share a check, because a picture in a bucket can be replaced
    checks.delete(key)
    return type === 'none' ? undefined : type
  }

  return {
    /**
     * S3 supports `If-None-Match: *` for PUT only, not in a form: within its 15 minutes an uploader can replace a
     * picture of their own, even after submitting it. Later forms cannot, since each form has its own key prefix.
     * Versioning of the bucket keeps the replaced ones. The quota is checked before a form is issued: S3 does not add up
     * what is posted with one, so a user can exceed it until the form expires.
     */
    async permit(userId, now) {
      const maxSize = Math.min(MAX_SIZE, USER_QUOTA_BYTES - (await postedBy(userId)))
      if (maxSize <= 0) throw new AppError('UPLOAD_QUOTA')
      const dir = dirOf(userId, now) + randomUUID().slice(0, 9)
      const { url, fields } = await createPresignedPost(current(), {
        Bucket,
        // any key that begins like this
        Key: `${dir}$\{filename}`,
        Conditions: [
          ['starts-with', '$Content-Type', 'image/'],
          ['content-length-range', 1, maxSize],
        ],
        Expires: UPLOAD_TOKEN_LIFETIME_MS / 1000,
      })
      const { key: _given, ...signed } = fields
      return { token: JSON.stringify(signed), host: url, dir, expireAt: now + UPLOAD_TOKEN_LIFETIME_MS, maxSize }
    },

    async put(userId, file, now) {
      if (file.length > MAX_SIZE) throw tooLarge()
      const { type, bytes } = await cleanPictureBytes(file)
      const key = newKey(userId, now)
      await write({ Key: key, Body: bytes, ContentType: type, Metadata: ENCODED })
      return key
    },

    readUrl: (key) =>
      getSignedUrl(
        current(),
        // whatever type the uploader claimed, browsers never render it as a page
        new GetObjectCommand({
          ...{ Bucket, Key: key },
          ...{ ResponseContentDisposition: 'attachment', ResponseContentType: 'image/jpeg' },
        }),
        { expiresIn: READ_URL_LIFETIME_MS / 1000, signingDate: new Date(realNow()) },
      ),

    async putFile(key, file) {
      const body = Readable.fromWeb(file.stream() as Parameters<typeof Readable.fromWeb>[0])
      await write({ Key: key, Body: body, ContentLength: file.size }, FILE_WITHIN)
    },

    async read(key) {
      if (!ownerOf(key)) return undefined
      const found = await read(key, FILE_WITHIN)
      return found?.Body instanceof Readable ? found.Body : undefined
    },

    typeOf: async (key) => (ownerOf(key) ? typeOf(key) : undefined),

    async remove(keys) {
      await remove(keys.filter(ownerOf))
    },

    async removeAll(userId) {
      let found = await list(homeOf(userId))
      while (found.length > 0) {
        await remove(found.map(({ key }) => key))
        found = await list(homeOf(userId), { after: found.at(-1)?.key ?? '' })
      }
    },
  }
}
