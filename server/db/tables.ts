import type { ColumnType, Generated } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'

/** Written as JSON text, read as a value: pg would turn a bare array into a Postgres array. */
type Json<T> = ColumnType<T, string, string>
/** milliseconds since 1970 */
type Ms = number

interface GamesTable {
  game_id: string
  config: Json<FormConfig>
  icon: string
  /** capital first letter of the pinyin, '#' for the rest */
  letter: string
  /** what a search may match besides the name: full pinyin and initials, lower case, separated by spaces */
  search: string
  /** place in the hot list, 0 = not in it */
  hot: number
  sort: number
  updated_at: Ms
}

/** One sale or offer of an account. `source + external_id` makes imports repeatable. */
interface SalesTable {
  id: Generated<number>
  game_id: string
  kind: 'SOLD' | 'ASKING'
  price_fen: number
  at: Ms
  source: string
  external_id: string
  attributes: Json<Answers>
}

interface ModelsTable {
  id: Generated<number>
  game_id: string
  /** the engine's Model as JSON text */
  body: string
  schema_version: number
  sample_n: number
  /** trained on generated sales only or mostly: every report says so */
  synthetic: boolean
  active: boolean
  trained_at: Ms
}

export interface UserSettings {
  pushReport: boolean
  pushActivity: boolean
  showAsExample: boolean
  fontScale: number
  reduceMotion: boolean
  personalised: boolean
}

interface UsersTable {
  id: string
  mobile: string
  nickname: string
  avatar: string
  settings: Json<UserSettings>
  created_at: Ms
}

interface SessionsTable {
  /** SHA-256 of the token; the token itself is stored nowhere */
  token_hash: string
  user_id: string
  created_at: Ms
  expires_at: Ms
}

interface SmsCodesTable {
  id: Generated<number>
  mobile: string
  scene: number
  code_hash: string
  ip: string
  sent_at: Ms
  expires_at: Ms
  wrong: Generated<number>
  used: Generated<boolean>
}

export interface RealNamesTable {
  user_id: string
  status: 'PENDING' | 'PASSED' | 'FAILED'
  name_sealed: string | null
  id_no_sealed: string | null
  /** keyed hash of the number, to count its accounts */
  id_hash: string | null
  /** ms of the 18th birthday */
  adult_at: Ms | null
  reason: string | null
  /** Chinese calendar day of `tries` */
  tries_on: string
  tries: number
  updated_at: Ms
}

export interface OrdersTable {
  id: string
  order_no: string
  user_id: string
  game_id: string
  mode: 'AI' | 'MANUAL'
  status: string
  pay_status: string
  title: string
  /** where the answers came from: how far the engine trusts them */
  source: string
  schema_version: number
  answers: Json<Answers>
  /** hash of what was asked, so that a double submit is found */
  request_key: string
  origin_fen: number
  discount_fen: number
  pay_fen: number
  report_no: string | null
  created_at: Ms
  reported_at: Ms | null
}

export interface ReportsTable {
  report_no: string
  order_id: string
  user_id: string
  game_id: string
  version: number
  status: string
  model_id: number
  /** what the engine was given, so that the report can be recomputed to the fen */
  inputs: Json<{ answers: Answers; source: string; now: Ms }>
  /** the whole valuation; what the reader may see is cut out on the way out */
  body: Json<Record<string, unknown>>
  predict_fen: number
  created_at: Ms
  valid_until: Ms
}

interface OrderEventsTable {
  id: Generated<number>
  order_id: string
  at: Ms
  from_status: string | null
  to_status: string
}

interface HitsTable {
  key: string
  biz_id: string
  n: number
}

export interface Tables {
  games: GamesTable
  sales: SalesTable
  models: ModelsTable
  users: UsersTable
  sessions: SessionsTable
  sms_codes: SmsCodesTable
  real_names: RealNamesTable
  orders: OrdersTable
  reports: ReportsTable
  order_events: OrderEventsTable
  hits: HitsTable
}
