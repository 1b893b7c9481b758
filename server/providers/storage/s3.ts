/** Stores pictures in S3 or a service with its POST policy (MinIO; COS and OSS through their S3 interfaces). */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../../app-error'
import { DependencyUnavailable } from '../../dependency-error'
import type { S3Settings } from '../../settings'
import { createChecks } from './background-checks'
import { createBreaker } from './breaker'
import { readPicture } from './picture'
import { encode, presign, signedForm } from './policy'
import {
  dirOf,
  filesOf,
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

/** ms: time limit of transfers in the background and of those by staff */
const TIMEOUT = 20_000
/** ms: time limit of a whole file, which may be large and whose reader may be slow */
const FILE_WITHIN = 10 * 60_000
/** ms after which a check of a picture counts as a failure of the storage; requests wait less (checks.ts) */
const CHECK_WITHIN = 5000

/** ms: a form waits no longer for the listing of what its user has uploaded */
const LISTING_WITHIN = 5000
/** Pages of up to a thousand objects that are listed for the quota; who has posted more has used it up. */
const MAX_PAGES = 10

interface Looked {
  type: PictureType
  /** the picture without metadata; undefined if it has none */
  stripped: Buffer<ArrayBuffer> | undefined
}

/** Identifies the content of a response through a temporary file; undefined if it is not a picture. */
async function look(body: ReadableStream): Promise<Looked | undefined> {
  const dir = await mkdtemp(path.join(tmpdir(), 'picture-'))
  try {
    const name = path.join(dir, 'file')
    await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(name))
    const file = await open(name, 'r')
    try {
      const picture = await readPicture(file)
      if (!picture) return undefined
      const { type, bare, bytes } = picture
      return { type, stripped: bare ? undefined : Buffer.concat(await Readable.from(bytes()).toArray()) }
    } finally {
      await file.close()
    }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** @param realNow time for signatures: the storage checks them against the real time, not the sandbox's */
export function createS3Storage(settings: S3Settings, realNow: () => number = Date.now): StoragePort {
  const { endpoint, bucket } = settings
  // path-style address: every compatible server supports it, while a bucket in the host name needs DNS
  const host = `${endpoint.replace(/\/+$/, '')}/${bucket}`
  const breaker = createBreaker({ name: 'S3', failures: 5, openFor: 10_000, most: 64 })
  /**
   * Sends a request and reads the response; one that reports a failure of the storage counts as none. @throws
   * DependencyUnavailable
   */
  const request = <T>(address: string, init: RequestInit, within: number, read: (response: Response) => Promise<T>) =>
    breaker.run(async () => {
      const response = await fetch(address, { ...init, signal: AbortSignal.timeout(within) })
      if (response.status >= 500 || response.status === 429) throw new Error(`storage answered ${response.status}`)
      return read(response)
    })
  const addressOf = (key: string) => `${host}/${key.split('/').map(encode).join('/')}`
  const sendSigned = (key: string, method: 'DELETE' | 'PUT', body?: Buffer<ArrayBuffer>) =>
    request(
      presign(addressOf(key), settings, { method, now: realNow(), expires: 60 }),
      { method, ...(body && { body }) },
      TIMEOUT,
      async (response) => response,
    )
  // a refusal (revoked key, missing or closed bucket) is a DependencyUnavailable too: the operator can fix it
  const write = async (key: string, body: Buffer<ArrayBuffer>) => {
    const response = await sendSigned(key, 'PUT', body)
    if (response.status === 413) throw tooLarge()
    if (!response.ok) throw new DependencyUnavailable(`storage answered ${response.status} to a picture`)
  }
  const remove = async (keys: readonly string[]) => {
    const responses = await Promise.all(keys.map((key) => sendSigned(key, 'DELETE')))
    const bad = responses.find((a) => !a.ok && a.status !== 404)
    if (bad) throw new DependencyUnavailable(`storage answered ${bad.status} to a removal`)
  }
  /** Up to a thousand objects after a key. A client may have put any character into its names, so they come encoded. */
  const list = async (prefix: string, { within = TIMEOUT, after = '' } = {}) => {
    const query = { 'list-type': '2', 'encoding-type': 'url', prefix, ...(after && { 'start-after': after }) }
    const address = presign(host, settings, { method: 'GET', now: realNow(), expires: 60, query })
    return request(address, {}, within, async (response) => {
      if (!response.ok) throw new Error(`storage answered ${response.status} to a listing`)
      const [, ...objects] = (await response.text()).split('<Contents>')
      return objects.map((xml) => ({
        key: decodeURIComponent((/<Key>([^<]*)<\/Key>/.exec(xml)?.[1] ?? '').replaceAll('+', ' ')),
        bytes: Number(/<Size>(\d+)<\/Size>/.exec(xml)?.[1] ?? 0),
      }))
    })
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

  const check = createChecks(async (key) => {
    const address = presign(`${host}/${key}`, settings, { method: 'GET', now: realNow(), expires: 60 })
    const looked = await request(address, {}, CHECK_WITHIN, async (response) => {
      if (response.status === 404) return undefined
      if (!response.ok || !response.body) throw new Error(`storage answered ${response.status} to a read`)
      if (Number(response.headers.get('content-length')) > MAX_SIZE) return undefined
      return look(response.body)
    })
    // clients post straight into the bucket, so metadata is removed here, when the picture is first submitted
    if (looked?.stripped) await write(key, looked.stripped)
    return looked?.type
  })

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
      const form = signedForm(
        settings,
        [
          { bucket },
          ['starts-with', '$key', dir],
          ['starts-with', '$Content-Type', 'image/'],
          ['content-length-range', 1, maxSize],
        ],
        { now: realNow(), expireAt: realNow() + UPLOAD_TOKEN_LIFETIME_MS },
      )
      const token = JSON.stringify({ bucket, ...form })
      return { token, host, dir, expireAt: now + UPLOAD_TOKEN_LIFETIME_MS, maxSize }
    },

    async put(userId, file, now) {
      const body = Buffer.from(file)
      if (body.length > MAX_SIZE) throw tooLarge()
      const looked = await look(new Blob([body]).stream())
      if (!looked) throw new AppError('UPLOAD_TYPE')
      const key = newKey(userId, now)
      await write(key, looked.stripped ?? body)
      return key
    },

    readUrl: async (key) =>
      presign(`${host}/${key}`, settings, {
        method: 'GET',
        now: realNow(),
        expires: READ_URL_LIFETIME_MS / 1000,
        // whatever type the uploader claimed, browsers never render it as a page
        query: { 'response-content-disposition': 'attachment', 'response-content-type': 'image/jpeg' },
      }),

    async putFile(key, file) {
      const address = presign(`${host}/${key}`, settings, { method: 'PUT', now: realNow(), expires: 600 })
      const response = await request(address, { method: 'PUT', body: file }, FILE_WITHIN, async (a) => a)
      if (!response.ok) throw new DependencyUnavailable(`storage answered ${response.status} to a file`)
    },

    async read(key) {
      if (!ownerOf(key)) return undefined
      const address = presign(`${host}/${key}`, settings, { method: 'GET', now: realNow(), expires: 60 })
      return request(address, {}, FILE_WITHIN, async (response) => {
        if (response.status === 404) return undefined
        if (!response.ok || !response.body)
          throw new DependencyUnavailable(`storage answered ${response.status} to a read`)
        return Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
      })
    },

    typeOf: async (key) => (ownerOf(key) ? check(key) : undefined),

    remove: (keys) => remove(keys.filter(ownerOf)),

    async removeAll(userId) {
      for (let found = await list(homeOf(userId)); found.length > 0; found = await list(homeOf(userId))) {
        // an address resolves segments of dots, so with them it would name another object
        const keys = found.map(({ key }) => key).filter((key) => !key.split('/').some((part) => /^\.{1,2}$/.test(part)))
        if (keys.length === 0) throw new Error(`storage holds ${found.length} objects that no address can name`)
        await remove(keys)
      }
    },
  }
}
