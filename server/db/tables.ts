import type { ColumnType, Generated } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { ChatCard, ChatMessage, Feedback, Message, TaskStatus } from '@/contract/types'
import type { Backtest } from '../engine/backtest'
import type { PayType, ProviderName } from '../providers/pay/port'

/** Written as JSON text, read as a value: pg would turn a bare array into a Postgres array. */
type Json<T> = ColumnType<T, string, string>
type JsonOrNull<T> = ColumnType<T | null, string | null | undefined, string | null>
type JsonDefault<T> = ColumnType<T, string | undefined, string>
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
export interface SalesTable {
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
  /** of the engine that trained it: no other can read it */
  format: number
  schema_version: number
  sample_n: number
  /** trained on generated sales only or mostly: every report says so */
  synthetic: boolean
  active: boolean
  trained_at: Ms
  /** id of the newest sale it was trained on */
  newest_sale: number
  /** why this training was not taken, in words; null for a model */
  refused: string | null
}

export interface UserSettings {
  pushReport: boolean
  pushActivity: boolean
  showAsExample: boolean
  fontScale: number
  reduceMotion: boolean
  personalised: boolean
  /** per cent; absent: 5, 0: never */
  priceMove?: number
}

interface AccountNamesTable {
  user_id: string
  account_id: string
  name: string
}

interface UsersTable {
  id: string
  /** null: somebody who came by WeChat and has given none yet */
  mobile: string | null
  /** argon2id, with its salt and parameters */
  password_hash: string | null
  /** when a requested cancellation is carried out */
  off_at: Ms | null
  off_reason: string | null
  /** it was; the row stays for the books */
  erased: Generated<boolean>
  nickname: string
  avatar: string
  /** the unlock record whose link brought a new user */
  invited_by: Generated<string | null>
  /** code of the channel that brought a new user; empty: none */
  channel: Generated<string>
  settings: Json<UserSettings>
  created_at: Ms
}

interface SessionsTable {
  /** SHA-256 of the token; the token itself is stored nowhere */
  token_hash: string
  /** may be shown to the owner */
  id: string
  user_id: string
  /** in words */
  device: string
  seen_at: Ms
  created_at: Ms
  expires_at: Ms
}

interface PasswordTriesTable {
  /** a mobile number, `ip:` and an address, or of the desk a name, an address, or both */
  key: string
  wrong: number
  /** first wrong one of the window; the last one while locked */
  since: Ms
}

interface SmsCodesTable {
  id: Generated<number>
  mobile: string
  scene: number
  code_hash: string
  /** the network it was asked from */
  ip: string
  /** keyed hash of the device's own name */
  client: string | null
  sent_at: Ms
  expires_at: Ms
  /** wrong tries from the network that asked for it */
  wrong: Generated<number>
  /** wrong tries from all other networks */
  wrong_elsewhere: Generated<number>
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
  /** the read its answers came from */
  auth_task_id: Generated<string | null>
  /** manual orders: the priced configuration */
  level: 'STD' | 'PRO' | null
  /** object keys of screenshots */
  images: JsonDefault<string[]>
  remark: Generated<string>
  pay_type: string | null
  coupon_id: string | null
  /** unpaid manual orders close, and coupons held for an AI order come free, at this time */
  pay_expire_at: Ms | null
  paid_at: Ms | null
  assigned_at: Ms | null
  due_at: Ms | null
  done_at: Ms | null
  cancel_reason: string | null
  appraiser_id: string | null
  /** what the appraiser asked for, and until when we wait for it */
  info_wanted: string | null
  info_due_at: Ms | null
  /** where a refused refund goes back to */
  refund_from: string | null
  /** REFUNDING: when an unanswered wish counts as granted; null = it is granted, the money is on its way */
  refund_due_at: Ms | null
  /** why a refund was refused, for the user */
  refund_answer: string | null
  /** the re-check ticket that was given for it */
  ticket_id: Generated<string | null>
  /** the one free re-check was used */
  revalued: Generated<boolean>
  late_coupon_at: Ms | null
  urged_at: Ms | null
  urges: Generated<number>
  evaluated_at: Ms | null
  /** when the one addition to the judgement was made */
  added_at: Ms | null
  /** the owner took an ended order off the list */
  deleted_at: Ms | null
  /** number of the expired report that is valued again for free */
  revalue_of: ColumnType<string | null, string | null | undefined, never>
  /** addresses for embedding made until then are over */
  embeds_ended_at: Generated<Ms | null>
  /** for how much the account was really sold, as the staff learnt it; null: not known */
  sold_fen: number | null
  sold_at: Ms | null
}

/** How well a model version predicted the sales that came after what it learned from. */
interface BacktestsTable {
  game_id: string
  model_version: string
  /** measured on generated sales: whoever reads it must be told */
  synthetic: boolean
  result: Json<Backtest>
  ran_at: Ms
}

/** Forms as they were when reports were made with them, by the SHA-256 of their text. */
interface FormConfigsTable {
  digest: string
  config: Json<FormConfig>
}

export interface CouponTemplatesTable {
  template_id: string
  name: string
  type: 'CASH_OFF' | 'DIRECT' | 'PERCENT' | 'FREE'
  amount_fen: number
  /** PERCENT: 80 pays 80 % */
  percent: number | null
  cap_fen: number | null
  threshold_fen: number
  scope: 'ALL' | 'AI' | 'MANUAL' | 'GAME'
  game_ids: Json<string[]>
  /** -1 = no limit */
  total: number
  given: Generated<number>
  per_user: number
  valid_type: 'DATE' | 'DAYS'
  start_at: Ms | null
  end_at: Ms | null
  days: number | null
  receive_start_at: Ms | null
  receive_end_at: Ms | null
  /** shown in the coupon centre; the others are given by rules only */
  listed: boolean
  sort: number
}

export interface UserCouponsTable {
  coupon_id: string
  template_id: string
  user_id: string
  /** the user's how manieth of this template, from 1 */
  nth: number
  status: 'UNUSED' | 'LOCKED' | 'USED' | 'EXPIRED'
  start_at: Ms
  end_at: Ms
  received_at: Ms
  used_at: Ms | null
  /** set while LOCKED or USED */
  order_id: string | null
  /** told that it is about to expire */
  warned: Generated<boolean>
}

interface FeedbackTable {
  id: string
  user_id: string
  type: number
  content: string
  images: Json<string[]>
  contact_sealed: string | null
  status: Generated<Feedback['status']>
  reply: string | null
  replied_at: Ms | null
  created_at: Ms
}

export interface StaffTable {
  staff_id: string
  role: 'CONSULTANT' | 'APPRAISER' | 'ADMIN'
  /** what users may quote, e.g. A017 */
  no: string
  nick: string
  avatar: Generated<string>
  years: Generated<number>
  wecom_qr: Generated<string>
  kf_url: Generated<string>
  corp_id: Generated<string>
  /** empty = all games */
  game_ids: JsonDefault<string[]>
  active: Generated<boolean>
  /** a stand-in that exists only to show the product */
  sandbox: Generated<boolean>
  sort: Generated<number>
}

/** How a member of the staff signs in at the desk. */
interface StaffLoginsTable {
  staff_id: string
  name: string
  /** argon2id */
  password_hash: string
  /** the password was made by somebody else and opens nothing but the page that changes it */
  must_change: boolean
  created_at: Ms
}

interface StaffSessionsTable {
  /** SHA-256 of the cookie */
  token_hash: string
  staff_id: string
  created_at: Ms
  expires_at: Ms
  /** last used, to the minute; null: not since it began */
  seen_at: Generated<Ms | null>
}

/** Every action at the desk: only ever added to. */
export interface DeskLogTable {
  id: Generated<number>
  at: Ms
  staff_id: string
  /** see domains/staff/log.ts */
  action: string
  order_id: string | null
  /** what else it was done to: a feedback, a login */
  subject: Generated<string>
  /** no personal data */
  note: Generated<string>
}

interface ValuationEvaluationsTable {
  order_id: string
  user_id: string
  score: number
  accuracy: 'LOW' | 'FAIR' | 'HIGH'
  speed: number | null
  service: number | null
  tags: Json<string[]>
  content: string
  images: Json<string[]>
  anonymous: boolean
  sold_fen: number | null
  sold_at: Ms | null
  sold_platform: string | null
  created_at: Ms
  /** the one later addition */
  addition: string | null
  addition_images: ColumnType<string[] | null, string | null | undefined, string | null>
  added_at: Ms | null
}

/** One appraiser's word on an expert order, before there is a report. */
interface OpinionsTable {
  order_id: string
  /** of the report it is for */
  version: number
  staff_id: string
  price_fen: number
  comment: string
  at: Ms
}

interface MessagesTable {
  id: string
  user_id: string
  type: Message['type']
  title: string
  summary: string
  body: string
  biz_type: Message['bizType']
  biz_id: string | null
  link: string | null
  read: Generated<boolean>
  /** when to tell of it outside the app; null: not, or done */
  remind_at: Ms | null
  created_at: Ms
}

/** A message of the staff to all users, as far as it has been sent. */
interface BroadcastsTable {
  id: string
  /** ACTIVITY: only to those who want them */
  kind: 'SYSTEM' | 'ACTIVITY'
  title: string
  body: string
  link: string | null
  created_at: Ms
  /** everybody up to this id has it; in the order of ids */
  last_user: Generated<string>
  sent: Generated<number>
  /** when everybody had it, or it was taken back */
  done_at: Ms | null
  withdrawn_at: Generated<Ms | null>
}

/** An order whose message about its payment was deleted by its owner. */
interface DeletedReceiptsTable {
  order_id: string
  at: Ms
}

/** One comparison of orders, payments, ledger, entitlements and coupons (domains/accounting). */
interface BooksChecksTable {
  id: Generated<number>
  /** first ms in China of the day whose nightly check this is; null: it was asked for */
  day: Ms | null
  started_at: Ms
  /** null: it runs, or its process died */
  ended_at: Ms | null
  orders: number | null
  /** all differences by kind (domains/accounting) */
  counts: JsonOrNull<Record<string, number>>
  /** the first of each kind */
  differences: JsonOrNull<{ kind: string; orderId: string; ref?: string }[]>
}

export interface ReportsTable {
  report_no: string
  order_id: string
  user_id: string
  game_id: string
  version: number
  status: string
  /** null: a person's report */
  model_id: number | null
  /** all reports of one user's account share it, see evaluation/account.ts */
  account_id: string
  /** what the engine was given, so that the report can be recomputed to the fen; `form`: digest in form_configs */
  inputs: Json<{ answers: Answers; source: string; now: Ms; form: string }>
  /** the whole valuation; what the reader may see is cut out on the way out */
  body: Json<Record<string, unknown>>
  /** hash of the body as it was made (evaluation/proof.ts) */
  digest: Generated<string>
  predict_fen: number
  /** model its price was last compared with; null: its own */
  moved_model: Generated<number | null>
  /** price its owner was told last; null: its own */
  moved_fen: Generated<number | null>
  created_at: Ms
  valid_until: Ms
}

interface OrderEventsTable {
  id: Generated<number>
  order_id: string
  at: Ms
  from_status: string | null
  to_status: string
  /** see orders/machine.ts */
  actor: Generated<string>
  note: Generated<string>
}

/** One attempt to pay an order; the id is the number the provider knows it by. */
export interface PaymentsTable {
  id: string
  order_id: string
  user_id: string
  pay_type: PayType
  /** `none`: nothing was to be paid */
  provider: ProviderName | 'none'
  amount_fen: number
  coupon_id: string | null
  openid: string | null
  return_url: string
  origin: string
  /** CLOSING: the provider is still to be told that it must not take money any more */
  status: 'CREATED' | 'FAILED' | 'CLOSING' | 'CLOSED' | 'PAID'
  /** the provider's number of the payment, set with PAID */
  txn: string | null
  created_at: Ms
  expire_at: Ms
  paid_at: Ms | null
  asked_at: Ms | null
  /** when the provider is asked again; null = never */
  next_ask_at: Ms | null
  /** mini-program: when WeChat is told next that it was delivered, and when it took note */
  ship_at: Generated<Ms | null>
  shipped_at: Generated<Ms | null>
  asks: Generated<number>
}

interface ProviderNoticesTable {
  id: Generated<number>
  provider: ProviderName
  /** SHA-256 of the exact body */
  digest: string
  subject: string
  outcome: string
  at: Ms
}

interface LedgerTable {
  id: Generated<number>
  kind: 'PAY' | 'SURPLUS' | 'REFUND'
  order_id: string
  payment_id: string
  provider: string
  txn: string
  /** negative for REFUND */
  amount_fen: number
  at: Ms
}

/** A refund is whole; the id is the number the provider knows it by. */
export interface RefundsTable {
  id: string
  payment_id: string
  order_id: string
  amount_fen: number
  reason: string
  /** of a payment that settled nothing: the order is not touched */
  surplus: boolean
  status: 'PENDING' | 'PROCESSING' | 'DONE' | 'FAILED'
  tries: Generated<number>
  next_at: Ms | null
  provider_refund_id: string | null
  failure: string | null
  asked_at: Ms
  done_at: Ms | null
}

export interface AuthTasksTable {
  id: string
  user_id: string
  game_id: string
  login_type: string
  schema_version: number
  status: TaskStatus
  /** server and public id, for the collector */
  lookup: Json<Answers>
  /** the collector's own name for the read */
  ref: string | null
  webview_url: string | null
  qr: string | null
  qr_expire_at: Ms | null
  qr_refreshes: Generated<number>
  /** 0 to 100 of the collecting */
  progress: Generated<number>
  fail_code: string | null
  /** the order that waits for the read */
  order_id: string | null
  /** as the collector gave it, kept 7 days */
  raw: JsonOrNull<unknown>
  /** by the form's keys, kept 180 days */
  features: JsonOrNull<Answers>
  /** what the user corrected afterwards: key → what was read */
  corrections: JsonOrNull<Answers>
  read_at: Ms | null
  created_at: Ms
  changed_at: Ms
  expire_at: Ms
  /** when the user had it deleted */
  forgotten_at: Ms | null
}

interface AuthTaskEventsTable {
  id: Generated<number>
  task_id: string
  at: Ms
  from_status: string | null
  to_status: string
}

/** A game that a user misses. */
interface GameWishesTable {
  id: string
  user_id: string
  name: string
  name_key: string
  platform: string
  remark: string
  created_at: Ms
}

interface HitsTable {
  key: string
  biz_id: string
  n: number
}

/** The same by day. */
interface HitDaysTable extends HitsTable {
  /** its first ms in China */
  day: number
}

/** Pictures in the embedded storage. */
interface UploadsTable {
  key: string
  user_id: string
  bytes: number
  type: 'image/jpeg' | 'image/png' | 'image/webp'
  created_at: Ms
  /** when it was last found to be used by something, 0 = never looked for */
  checked_at: Generated<Ms>
}

/** A row that a job could not work on (domains/shared/due-rows.ts). */
interface JobFailuresTable {
  job: string
  row_id: string
  attempts: number
  /** without personal data */
  reason: string
  first_at: Ms
  last_at: Ms
  /** not tried again before */
  next_at: Ms
  /** not tried again at all until somebody at the desk says so */
  quarantined_at: Ms | null
}

/** A refund that a rule of the clock decided: what the brake counts (domains/orders/refund-brake.ts). */
interface AutomaticRefundsTable {
  id: Generated<number>
  order_id: string
  amount_fen: number
  at: Ms
}

/** One row: whoever decides an automatic refund locks it, so that parallel processes count one after the other. */
interface RefundBrakeTable {
  id: number
  /** when it last held something back and said so */
  alarmed_at: Ms | null
  /** what an admin let go beyond the limits, within an hour of this moment */
  allowed_at: Ms | null
  allowed_count: Generated<number>
  allowed_fen: Generated<number>
}

/** Something outside the database that must go, until it is gone. */
export interface RemovalsTable {
  /** a read at the collector, all pictures of a user */
  kind: 'READ' | 'PICTURES'
  ref: string
  due_at: Ms
  tries: Generated<number>
}

/** Keyed hash of the number of an erased account. */
interface LeftMobilesTable {
  mobile_hash: string
  left_at: Ms
}

/** The owner asks friends for help, up to three times for an order. */
export interface UnlockRecordsTable {
  id: string
  order_id: string
  user_id: string
  nth: number
  need: number
  got: Generated<number>
  created_at: Ms
  expire_at: Ms
  /** keyed hashes of the device that asked, see unlock/device.ts */
  owner_client: string | null
  owner_net: string | null
}

interface UnlockHelpsTable {
  record_id: string
  /** who helped */
  user_id: string
  owner_id: string
  at: Ms
  /** keyed hashes of the device that helped, see unlock/device.ts */
  client: string | null
  net: string | null
}

/** Who has the token may see the report. */
interface ReportSharesTable {
  token: string
  report_no: string
  user_id: string
  created_at: Ms
  revoked_at: Ms | null
}

/** A user's conversation with the staff. */
export interface ChatsTable {
  user_id: string
  /** number of its newest message */
  last_seq: Generated<number>
  /** how far each side has seen it */
  user_seq: Generated<number>
  staff_seq: Generated<number>
  /** of the first message without an answer; null = nothing waits */
  waiting_since: Ms | null
  /** the user knows that nobody is here until then */
  told_until: Generated<Ms>
  /** when the user's app last looked */
  seen_at: Generated<Ms>
  changed_at: Ms
}

export interface ChatMessagesTable {
  user_id: string
  seq: number
  type: ChatMessage['type']
  sender: ChatMessage['from']
  staff_id: string | null
  nick: string | null
  /** masked before it is stored, see chat/clean.ts */
  body: string
  /** object key */
  image: string | null
  card: JsonOrNull<ChatCard>
  /** the sender's own name for it, so that sending again adds nothing */
  client_id: string | null
  /** working ms from the question to this answer */
  waited: Ms | null
  at: Ms
}

/** Permission to show one advertisement and to unlock with it. */
interface AdNoncesTable {
  nonce: string
  user_id: string
  order_id: string
  issued_at: Ms
  expire_at: Ms
  used_at: Ms | null
}

/** On the home page by the staff's wish; without a picture a line of notice. */
export interface BannersTable {
  id: Generated<number>
  place: string
  title: string
  /** a file of the content folder's pictures, '' = none */
  picture: string
  link: string
  link_type: 'PAGE' | 'WEB' | 'NONE'
  sort: number
  active: boolean
  starts_at: Ms | null
  ends_at: Ms | null
  updated_at: Ms
}

/** Somebody's WeChat, by the app it came through. */
interface WechatLoginsTable {
  app_id: string
  openid: string
  user_id: string
  unionid: string | null
  created_at: Ms
}

/** An id an account had before it was joined to another: pictures keep it in their names. */
interface FormerIdsTable {
  former_id: string
  user_id: string
}

interface TurnsTable {
  key: string
  n: number
  since: Ms
}

interface ServerSecretsTable {
  name: string
  value: string
}

interface LeasesTable {
  name: string
  /** of one taking, not of a process */
  holder: string
  until: Ms
}

export interface Tables {
  chats: ChatsTable
  chat_messages: ChatMessagesTable
  games: GamesTable
  sales: SalesTable
  models: ModelsTable
  users: UsersTable
  sessions: SessionsTable
  password_tries: PasswordTriesTable
  sms_codes: SmsCodesTable
  real_names: RealNamesTable
  orders: OrdersTable
  reports: ReportsTable
  form_configs: FormConfigsTable
  backtests: BacktestsTable
  order_events: OrderEventsTable
  coupon_templates: CouponTemplatesTable
  user_coupons: UserCouponsTable
  messages: MessagesTable
  broadcasts: BroadcastsTable
  deleted_receipts: DeletedReceiptsTable
  books_checks: BooksChecksTable
  leases: LeasesTable
  payments: PaymentsTable
  provider_notices: ProviderNoticesTable
  ledger: LedgerTable
  refunds: RefundsTable
  feedback: FeedbackTable
  staff: StaffTable
  staff_logins: StaffLoginsTable
  staff_sessions: StaffSessionsTable
  desk_log: DeskLogTable
  valuation_evaluations: ValuationEvaluationsTable
  opinions: OpinionsTable
  game_wishes: GameWishesTable
  hits: HitsTable
  hit_days: HitDaysTable
  uploads: UploadsTable
  removals: RemovalsTable
  automatic_refunds: AutomaticRefundsTable
  job_failures: JobFailuresTable
  refund_brake: RefundBrakeTable
  left_mobiles: LeftMobilesTable
  auth_tasks: AuthTasksTable
  auth_task_events: AuthTaskEventsTable
  unlock_records: UnlockRecordsTable
  unlock_helps: UnlockHelpsTable
  ad_nonces: AdNoncesTable
  report_shares: ReportSharesTable
  banners: BannersTable
  server_secrets: ServerSecretsTable
  wechat_logins: WechatLoginsTable
  former_ids: FormerIdsTable
  account_names: AccountNamesTable
  turns: TurnsTable
}
