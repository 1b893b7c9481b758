import type { Kysely } from 'kysely'
import type { Clock } from './clock'
import type { Tables } from './db/tables'
import type { ChatNotifier } from './domains/chat/notifier'
import type { ContentRepository } from './domains/content/repository'
import type { GameRepository } from './domains/games/repository'
import type { ModelRepository } from './domains/models/repository'
import type { Encryption } from './encryption'
import type { Logger } from './log'
import type { CollectorPort } from './providers/collector/port'
import type { PayProviders } from './providers/pay/providers'
import type { RealNamePort } from './providers/real-name/port'
import type { SmsPort } from './providers/sms/port'
import type { StoragePort } from './providers/storage/port'
import type { WechatPort } from './providers/wechat/port'
import type { ReportSigner } from './report-signing'
import type { Settings } from './settings'

/** What the domains work with; made once by main (or a test) and handed in. */
export interface Deps {
  settings: Settings
  db: Kysely<Tables>
  clock: Clock
  /** of the process; a call has its own with the request's id */
  log: Logger
  sms: SmsPort
  pay: PayProviders
  realName: RealNamePort
  wechat: WechatPort
  encryption: Encryption
  reportSigner: ReportSigner
  games: GameRepository
  models: ModelRepository
  storage: StoragePort
  collector: CollectorPort
  content: ContentRepository
  chatNotifier: ChatNotifier
  /** jobs only: aborted when the process stops; no further row is begun then */
  stopping?: AbortSignal
}

/** One call of somebody who may or may not be logged in. */
export interface OpenCtx extends Deps {
  /** for rules per address */
  ip: string
  platform: string
  /** system and app of the caller in words */
  device: string
  /** `ios`, `android` or `other`, as the client says */
  os: string
  userAgent: string
  /** code of the channel that brought the caller; empty: none */
  channel: string
  /** how the caller reached us, `https://…` without a slash at its end */
  origin: string
  /** User id of the caller when the token is good; asked of the database only when a handler wants it. */
  viewer(): Promise<string | undefined>
}

/** One call of a logged-in user. */
export interface UserCtx extends OpenCtx {
  userId: string
  sessionId: string
}
