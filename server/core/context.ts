import type { Kysely } from 'kysely'
import type { Db } from '../db/database'
import type { SessionQuery } from '../db/precompiled-query'
import type { DB } from '../db/tables'
import type { SessionRows } from '../domains/accounts/login/session'
import type { ChatNotifier } from '../domains/chat/notifier'
import type { ContentRepository } from '../domains/content/repository'
import type { GameRepository } from '../domains/games/repository'
import type { ModelRepository } from '../domains/models/repository'
import type { PublicStatistics } from '../domains/reports/publishing/public-statistics'
import type { DomainEvents } from '../domains/shared/events'
import type { CollectorPort } from '../providers/collector/port'
import type { PayProviders } from '../providers/pay/providers'
import type { RealNamePort } from '../providers/real-name/port'
import type { SmsPort } from '../providers/sms/port'
import type { StoragePort } from '../providers/storage/port'
import type { WechatPort } from '../providers/wechat/port'
import type { Settings } from '../settings'
import type { Clock } from './clock'
import type { Encryption } from './encryption'
import type { Limits } from './limits'
import type { Logger } from './log'
import type { ReportSigner } from './report-signing'

/** Other systems and services; `settings` choose between the real ones and the sandbox. */
interface Providers {
  pay: PayProviders
  wechat: WechatPort
  storage: StoragePort
  collector: CollectorPort
  sms: SmsPort
  realName: RealNamePort
}

/** Frequent reads that are kept in memory. */
interface Repositories {
  games: GameRepository
  models: ModelRepository
  content: ContentRepository
  publicStatistics: PublicStatistics
}

/** Dependencies of the domains; created once by main (or a test) and passed in. */
export interface Deps {
  settings: Settings
  db: Kysely<DB>
  clock: Clock
  /** logger of the process; each call has its own with the request's id */
  log: Logger
  encryption: Encryption
  providers: Providers
  repositories: Repositories
  reportSigner: ReportSigner
  chatNotifier: ChatNotifier
  limits: Limits
  events: DomainEvents
}

/** Those of background jobs. */
export interface JobDeps extends Deps {
  /** aborted when the process stops; no further row may then be started */
  stopping?: AbortSignal
}

/** Context of a call with or without login. */
export interface OpenCtx extends Deps {
  /** address of the caller, for limits */
  ip: string
  platform: string
  /** description of the caller's system and app */
  device: string
  /** `ios`, `android` or `other`, as claimed by the client */
  os: string
  userAgent: string
  /** code of the channel that brought the caller; empty: none */
  channel: string
  /** origin by which the caller reached the server, without a trailing slash */
  origin: string
  /**
   * User id of the caller if the token is valid; looked up only when a handler needs it.
   * @param tx reads the session of an open call again in this transaction
   */
  viewer(tx?: Db): Promise<string | undefined>
  /**
   * Reads rows of the caller, whose session the same statement finds.
   * @throws AppError NOT_LOGGED_IN
   */
  queryWithSession<P extends object, R>(read: SessionQuery<P, R>, parameters: P): Promise<SessionRows<R>>
}

/** Context of a call by a logged-in user. */
export interface UserCtx extends OpenCtx {
  userId: string
  sessionId: string
}
