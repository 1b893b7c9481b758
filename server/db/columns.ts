/**
 * Types of the columns whose database type says too little: JSON, and texts of a closed list. `npm run db:types` refers
 * to them in the types that it generates (tables.ts).
 */
import type { ColumnType, Generated } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { ManualLevel } from '@/contract/labels'
import type {
  AppraisalDetails,
  ChatCard,
  ChatMessage,
  Feedback,
  MarketPage,
  Message,
  ReadAnswers,
  ScreenshotTask,
  TaskStatus,
  UserSettings,
} from '@/contract/types'
import type { Valued } from '../engine/types'
import type { OcrPage } from '../providers/ocr/port'
import type { PayType, ProviderName } from '../providers/pay/port'
import type { HoldReason, SaleChannel } from './sale-channels'

export type { UserSettings }

export interface Score {
  medianError: number
  coverage: number
}

/** Fractions, not per cent. */
export interface Backtest extends Score {
  game: string
  /** later sales that were priced; `refused` had too few comparables */
  n: number
  refused: number
  within10: number
  within20: number
  within30: number
  /** (high − low) ÷ price */
  medianWidth: number
  /** the same error over the 30 days up to the newest sale (`until`, ms) */
  recent: { n: number; medianError: number; until: number }
  modelVersion: string
  baselines: Record<string, Score>
}

export type Week = MarketPage['weeks'][number]

export interface SellTime {
  /** change of the log hazard per log of the price ratio; negative: more expensive accounts sell more slowly */
  slope: number
  /** cumulative baseline hazard at a ratio of 0, by days */
  hazard: [days: number, cumulative: number][]
  /** spells, and those that ended in a sale */
  n: number
  soldN: number
}

/** A screenshot that was tried; without a page it could not be read. */
export interface StoredPage {
  key: string
  page?: OcrPage
}

/** Published figures of a game's market. */
export interface MarketStatistics extends Omit<MarketPage, 'gameId' | 'gameName' | 'madeAt'> {
  /** absent with too few sold ones */
  sellTime?: SellTime
  /** the valuation of a sold account; absent where none is valued with confidence */
  example?: (Omit<Valued, 'ok'> & { title: string }) | undefined
}

/** Written as JSON text, read as a value: pg would convert a bare array to a PostgreSQL array. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
type JsonDefault<T> = ColumnType<T, string | undefined, string>

/** By `table.column`. */
export interface Columns {
  'appraisal_drafts.draft': JsonDefault<Record<string, string>>
  'appraisals.work': Json<AppraisalDetails>
  'banners.link_type': 'PAGE' | 'WEB' | 'NONE'
  'broadcasts.kind': 'SYSTEM' | 'ACTIVITY'
  'chat_messages.card': JsonOrNull<ChatCard>
  'chat_messages.sender': ChatMessage['from']
  'chat_messages.type': ChatMessage['type']
  'collection_tasks.corrections': JsonOrNull<Answers>
  'collection_tasks.features': JsonOrNull<Answers>
  'collection_tasks.lookup': Json<Answers>
  'collection_tasks.raw': JsonOrNull<unknown>
  'collection_tasks.status': TaskStatus
  'coupon_templates.game_ids': JsonDefault<string[]>
  'coupon_templates.scope': 'ALL' | 'AI' | 'MANUAL' | 'GAME'
  'coupon_templates.type': 'CASH_OFF' | 'DIRECT' | 'PERCENT' | 'FREE'
  'coupon_templates.valid_type': 'DATE' | 'DAYS'
  'data_exports.status': 'WAITING' | 'READY' | 'FAILED'
  'deletion_outbox.kind': 'READ' | 'PICTURES'
  'feedback.images': Json<string[]>
  'feedback.status': Generated<Feedback['status']>
  'form_configs.config': Json<FormConfig>
  'games.config': Json<FormConfig>
  'held_sales.attributes': Json<Answers>
  'held_sales.channel': SaleChannel
  'held_sales.kind': 'SOLD' | 'ASKING'
  'held_sales.reason': HoldReason
  'ledger.kind': 'PAY' | 'SURPLUS' | 'REFUND'
  'market_statistics.body': Json<MarketStatistics>
  'messages.biz_type': Message['bizType']
  'messages.type': Message['type']
  'models.accuracy': JsonOrNull<Backtest>
  'orders.answers': Json<Answers>
  'orders.images': JsonDefault<string[]>
  'orders.level': ManualLevel | null
  'orders.mode': 'AI' | 'MANUAL'
  'orders.paid_answers': JsonOrNull<Answers>
  /** set with the order and never changed */
  'orders.revalue_of': ColumnType<string | null, string | null | undefined, never>
  'payment_notifications.provider': ProviderName
  'payments.pay_type': PayType
  'payments.provider': ProviderName | 'none'
  'payments.provider_refunds': JsonDefault<Record<string, number>>
  'payments.status': 'CREATED' | 'FAILED' | 'CLOSING' | 'CLOSED' | 'PAID'
  'real_names.status': 'PENDING' | 'PASSED' | 'FAILED'
  'refunds.status': 'PENDING' | 'PROCESSING' | 'DONE' | 'FAILED'
  'reports.body': Json<Record<string, unknown>>
  'reports.inputs': Json<{
    answers: Answers
    source: string
    shown?: number
    now: number
    form: string
    earlier?: Answers[]
  }>
  'reviews.accuracy': 'LOW' | 'FAIR' | 'HIGH'
  'reviews.addition_images': JsonOrNull<string[]>
  'reviews.images': Json<string[]>
  'reviews.tags': Json<string[]>
  'sale_followups.outcome': 'SOLD' | 'LISTED' | 'KEPT'
  'sales.attributes': Json<Answers>
  'sales.channel': Generated<SaleChannel>
  'sales.kind': 'SOLD' | 'ASKING'
  'screenshot_tasks.keys': Json<string[]>
  'screenshot_tasks.pages': JsonDefault<StoredPage[]>
  'screenshot_tasks.result': JsonOrNull<ReadAnswers>
  'screenshot_tasks.status': ScreenshotTask['status']
  'staff.game_ids': JsonDefault<string[]>
  'staff.role': 'CONSULTANT' | 'APPRAISER' | 'ADMIN'
  'uploads.type': 'image/jpeg' | 'image/png' | 'image/webp'
  'user_coupons.status': 'UNUSED' | 'LOCKED' | 'USED' | 'EXPIRED'
  'users.settings': Json<UserSettings>
}
