/** Stores pictures in S3 or a service with its POST policy (MinIO; COS and OSS through their S3 interfaces). */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  type PutObjectCommandInput,
  paginateListObjectsV2,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3'
import { createPresignedPost } from '@aws-sdk/s3-presigned-post'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import { AppError } from '../../core/app-error'
import { DependencyUnavailable } from '../../core/dependency-error'
import { reasonOf } from '../../core/start-error'
import type { Settings } from '../../settings'
import { type Arriving, cleanPicture } from './picture'
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

/** ms: time limit of a request */
const TIMEOUT = NETWORK_TIMEOUT / 6
/** ms: time limit of a whole file, which may be large and whose reader may be slow */
const FILE_WITHIN = 10 * 60_000
/** Objects that are listed for the quota; who has posted more has used it up. */
const MAX_OBJECTS = 10_000

/** Metadata of an object that this server has encoded. The form allows clients none. */
const ENCODED = { encoded: '1' } as const

const ignore = () => undefined
const silent = { trace: ignore, debug: ignore, info: ignore, warn: ignore, error: ignore }
const statusOf = (error: unknown) => (error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined)

/** @param realNow time for signatures: the storage checks them against the real time, not the sandbox's */
export function createS3Storage(settings: NonNullable<Settings['s3']>, realNow: () => number = Date.now): StoragePort {
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
  /** Objects of a user. A client may have put any character into its names, so they come encoded. */
  const list = async (userId: string, most: number, within?: number) => {
    const objects: { key: string; bytes: number }[] = []
    const found = await send(async (to, abortSignal) => {
      const asked = { Bucket, Prefix: homeOf(userId), EncodingType: 'url' } as const
      for await (const { Contents = [] } of paginateListObjectsV2({ client: to }, asked, { abortSignal })) {
        for (const { Key = '', Size = 0 } of Contents)
          objects.push({ key: decodeURIComponent(Key.replaceAll('+', ' ')), bytes: Size })
        if (objects.length >= most) break
      }
      return objects
    }, within)
    if (!found) throw new DependencyUnavailable('S3: the bucket does not exist')
    return found
  }
  /** Bytes of a user's pictures, as far as they matter for the quota. */
  const postedBy = async (userId: string): Promise<number> => {
    const found = await list(userId, MAX_OBJECTS)
    if (found.length >= MAX_OBJECTS) return USER_QUOTA_BYTES
    const ours = filesOf(userId)
    return found.reduce((sum, { key, bytes }) => sum + (key.startsWith(ours) ? 0 : bytes), 0)
  }
  /** Stores a picture encoded. @returns its type */
  const writePicture = async (Key: string, file: Arriving): Promise<PictureType> => {
    const { type, bytes } = await cleanPicture(file)
    await write({ Key, Body: bytes, ContentType: type, Metadata: ENCODED })
    return type
  }

  /** Encodes a picture that was posted straight into the bucket, when it is first read. */
  async function typeOf(key: string): Promise<PictureType | undefined> {
    const head = await send((to, abortSignal) => to.send(new HeadObjectCommand({ Bucket, Key: key }), { abortSignal }))
    const type = pictureTypes.find((type) => type === head?.ContentType)
    if (type && head?.Metadata?.encoded === ENCODED.encoded) return type
    const found = head && (await read(key))
    if (!(found?.Body instanceof Readable)) return undefined
    return writePicture(key, found.Body).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'UPLOAD_TYPE') return undefined
      throw error
    })
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
      const key = newKey(userId, now)
      await writePicture(key, [file])
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
      const found = await list(userId, Number.POSITIVE_INFINITY, FILE_WITHIN)
      await remove(found.map(({ key }) => key))
    },
  }
}
