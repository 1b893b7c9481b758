/**
 * All limits of how often something may be done, in one table. Limits that protect money, phone numbers or staff are
 * counted in the database; those that only protect this machine in Redis, or in each process while there is none.
 * A quota that follows from rows (valuations, codes, refunds of a day) is computed from the rows where it applies.
 */
import type { Redis } from 'ioredis'
import { type Kysely, sql } from 'kysely'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { DB } from '../db/tables'
import { AppError } from './app-error'
import { CLOCK_TOLERANCE_MS } from './clock'

interface Limit {
  /** uses in a window; a function of RATE_LIMIT, where 0 means no limit */
  max: number | ((rateLimit: number) => number)
  /** s */
  window: number
  /** what a key identifies; no key contains an address or a number */
  key: 'network' | 'user' | 'WeChat' | 'process'
  kept: 'database' | 'redis'
  why: string
}

const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR

/** What protects this machine from one network: RATE_LIMIT a minute. */
const perNetwork = (why: string, max = (rateLimit: number) => rateLimit): Limit => ({
  ...{ max, window: MINUTE, key: 'network', kept: 'redis', why },
})
/** The same from one user. */
const perUser = (max: number, why: string): Limit => ({ max, window: MINUTE, key: 'user', kept: 'redis', why })
/** What protects money, phone numbers, staff, or the model. */
const stored = (max: number, window: number, key: Limit['key'], why: string): Limit => ({
  ...{ max, window, key, kept: 'database', why },
})

const LIMITS = {
  calls: perNetwork('the calls of the app'),
  desk: perNetwork('pages for staff'),
  open: perNetwork('report numbers could be guessed'),
  pages: perNetwork('report pages are rendered for each reader'),
  partner: perNetwork('a key of a partner could be guessed'),
  uploads: perNetwork('each is decoded'),
  prefetch: perNetwork('a few servers of WeChat prefetch for all users', (rateLimit) => 10 * rateLimit),
  files: perNetwork('each picture takes up to half a second to draw', (rateLimit) => Math.min(rateLimit, 120)),
  reprice: perUser(30, 'each computes a price'),
  checkedPictures: perUser(120, 'each may read 10 MB of a bucket'),
  codesAlarm: { max: 1, window: HOUR, key: 'process', kept: 'redis', why: 'staff are told once about codes held back' },
  forgedLog: { max: 1, window: MINUTE, key: 'network', kept: 'redis', why: 'anybody can send forged notifications' },
  preview: stored(30, MINUTE, 'user', 'each computes a price'),
  previewDay: stored(200, DAY, 'user', 'a form takes 30; more would let the model be extracted'),
  openPreview: stored(20, MINUTE, 'network', 'each computes a price'),
  openPreviewDay: stored(2000, DAY, 'network', 'a mobile network is one; more would let the model be extracted'),
  screenshots: stored(30, HOUR, 'user', 'each takes up to ten seconds to read'),
  draw: stored(30, MINUTE, 'user', 'each takes up to half a second to draw'),
  chat: stored(20, MINUTE, 'user', 'staff read what is sent'),
  chatDay: stored(300, DAY, 'user', 'staff read what is sent'),
  dataExport: stored(3, DAY, 'user', 'each reads all that is stored of a user'),
  wechat: stored(60, 10 * MINUTE, 'network', 'calls may cost money, codes be guessed'),
  ad: stored(5, DAY, 'WeChat', 'a WeChat without an account unlocks no more than one'),
} as const satisfies Record<string, Limit>

export type LimitName = keyof typeof LIMITS

interface Stored {
  uses: number
  since: number
}

/**
 * The library's limiter with a statement of ours: by business time, and for both databases. A window that began later than now was counted
 * while a clock was wrong, and is begun again. Refused uses are not written.
 */
class DatabaseLimiter extends RateLimiterPostgres {
  constructor(
    private readonly db: Kysely<DB>,
    private readonly now: () => number,
    options: { keyPrefix: string; points: number; duration: number },
  ) {
    // the table is made by the migrations and cleared by the job `purge`
    super({ ...options, storeClient: db, storeType: 'client', tableCreated: true, clearExpiredByTimeout: false })
  }

  async _upsert(key: string, n: number, window: number): Promise<Stored> {
    const now = this.now()
    const over = sql<boolean>`(throttles.since <= ${now - window} or throttles.since > ${now + CLOCK_TOLERANCE_MS})`
    const row = await this.db
      .insertInto('throttles')
      .values({ key, n, since: now })
      .onConflict((c) =>
        c
          .column('key')
          .doUpdateSet({
            n: sql<number>`case when ${over} then ${n} else throttles.n + ${n} end`,
            since: sql<number>`case when ${over} then ${now}::bigint else throttles.since end`,
          })
          .where((e) => e.or([over, e('throttles.n', '<', this.points)])),
      )
      .returning(['n as uses', 'since'])
      .executeTakeFirst()
    return row ?? { uses: this.points + n, since: now }
  }

  _getRateLimiterRes(_key: string, n: number, { uses, since }: Stored): RateLimiterRes {
    const ms = Math.max(0, since + this.duration * 1000 - this.now())
    return new RateLimiterRes(Math.max(0, this.points - uses), ms, uses, uses === n)
  }
}

interface Options {
  db: Kysely<DB>
  /** business time, ms */
  now: () => number
  /** `Settings.rateLimit` */
  rateLimit: () => number
  /** shared by all processes; undefined, or while it is away: every process counts for itself */
  redis: Redis | undefined
}

export type Limits = ReturnType<typeof createLimits>

export function createLimits({ db, now, rateLimit, redis }: Options) {
  const create = (name: LimitName) => {
    const { window: duration, kept } = LIMITS[name]
    const options = { keyPrefix: name, points: pointsOf(name), duration }
    if (kept === 'database') return new DatabaseLimiter(db, now, options)
    const own = new RateLimiterMemory(options)
    return redis
      ? new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true, insuranceLimiter: own })
      : own
  }
  const pointsOf = (name: LimitName): number => {
    const { max } = LIMITS[name]
    return typeof max === 'number' ? max : max(rateLimit())
  }
  const limiters = new Map<LimitName, ReturnType<typeof create>>()
  const limiterOf = (name: LimitName) => {
    const existing = limiters.get(name) ?? create(name)
    limiters.set(name, existing)
    return existing
  }

  /** Counts `n` uses. @returns whether all were within the limit */
  async function take(name: LimitName, key: string, n = 1): Promise<boolean> {
    if (pointsOf(name) === 0) return true
    try {
      await limiterOf(name).consume(key, n)
      return true
    } catch (refusal) {
      if (refusal instanceof RateLimiterRes) return false
      throw refusal
    }
  }

  return {
    take,
    /** The same. @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT beyond the limit */
    async enforce(name: LimitName, key: string) {
      if (!(await take(name, key))) throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
    },
  }
}
