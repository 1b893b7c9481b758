import type { ColumnType, Generated } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { ManualLevel } from '@/contract/labels'
import type {
  AppraisalDetails,
  ChatCard,
  ChatMessage,
  Feedback,
  Message,
  RevaluationRequest,
  TaskStatus,
} from '@/contract/types'
import type { Backtest } from '../engine/backtest'
import type { MarketStatistics } from '../engine/price-index'
import type { PayType, ProviderName } from '../providers/pay/port'
import type { HoldReason, SaleChannel } from './sale-channels'

/** Written as JSON text, read as a value: pg would convert a bare array to a PostgreSQL array. */
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
  /** further search terms: full pinyin and initials, lower case, separated by spaces */
  search: string
  /** rank in the hot list, 0 = not in it */
  hot: number
  sort: number
  updated_at: Ms
}

/** One sale or listing of an account. `source + external_id` makes imports repeatable. */
export interface SalesTable {
  id: Generated<number>
  game_id: string
  kind: 'SOLD' | 'ASKING'
  price_fen: number
  at: Ms
  source: string
  external_id: string
  attributes: Json<Answers>
  /** when it was first listed */
  listed_at: Generated<Ms | null>
  channel: Generated<SaleChannel>
  /** log of the price over the market's expectation on arrival */
  residual: Generated<number | null>
  /** keyed hash of the person who reported it, removed when that person deletes the account */
  reporter: Generated<string | null>
  /** keyed hash of the device it was reported from, removed with the person */
  device: Generated<string | null>
  /** hash of the account's priced answers */
  fingerprint: Generated<string | null>
}

/** A price that left the sales: see `models/withdrawn-sales.ts`. */
export interface WithdrawnSalesTable {
  id: Generated<number>
  game_id: string
  /** its id among the sales */
  sale_id: number
  withdrawn_at: Ms
}

/** A sale that waits for a decision of the desk, or was decided there. */
export interface HeldSalesTable {
  id: Generated<number>
  game_id: string
  kind: 'SOLD' | 'ASKING'
  price_fen: number
  at: Ms
  listed_at: Ms | null
  source: string
  external_id: string
  attributes: Json<Answers>
  channel: SaleChannel
  reporter: string | null
  device: string | null
  fingerprint: string | null
  reason: HoldReason
  /** more about the reason, for staff */
  detail: Generated<string | null>
  /** the market's expectation on arrival */
  market_fen: number | null
  residual: number | null
  /** id among the sales of the one it corrects, if any */
  sale_id: number | null
  held_at: Ms
  decided_at: Ms | null
  decided_by: string | null
  decision: 'ACCEPTED' | 'REFUSED' | null
  /** reason of the decision */
  note: string | null
}

/** A partner that sends sales, or whose feed is fetched. */
export interface PartnersTable {
  /** also the public key of its calls */
  partner_id: string
  name: string
  secret_sealed: string
  created_at: Ms
  /** its calls are refused from then on */
  stopped_at: Ms | null
  /** signed feed that is fetched from it; null: it only sends */
  pull_url: string | null
  pull_cursor: string | null
  pulled_at: Ms | null
  pull_failure: string | null
}

/** The partner that a source of sales belongs to. */
interface PartnerSourcesTable {
  source: string
  partner_id: string
}

interface PartnerCallsTable {
  id: Generated<number>
  partner_id: string
  at: Ms
  kind: 'PUSH' | 'PULL'
  lines: number
  accepted: number
  known: number
  held: number
  refused: number
  /** refusals by reason */
  reasons: Json<Record<string, number>>
}

/** The newest residuals of a partner's sales of a game, oldest first. */
interface PartnerShiftsTable {
  partner_id: string
  game_id: string
  residuals: Json<number[]>
  /** the same with level and spread, see `ComparedPrice`; other residuals: a release without it has added some since */
  compared: JsonDefault<([residual: number, level: number, spread: number] | [residual: number])[]>
  /** how they are shifted, for staff; null when they are not */
  why: Generated<string | null>
  changed_at: Ms
  /** of each residual the `saleKey` of the sale if it was accepted, else empty */
  accepted: JsonDefault<string[]>
  /** `changed_at` when they were stored; another one: a release without them has added residuals since */
  accepted_at: Generated<Ms | null>
  /** keys of accepted sales that were found shifted and are to be held, from `hold_at` on */
  to_hold: JsonDefault<string[]>
  hold_at: Generated<Ms | null>
  /** how many have been held so */
  held_later: Generated<number>
}

interface ModelsTable {
  id: Generated<number>
  game_id: string
  /** the engine's Model as JSON text */
  body: string
  /** format of the engine that trained it; other engines cannot read it */
  format: number
  schema_version: number
  sample_n: number
  /** trained only or mostly on generated sales, which every report discloses */
  synthetic: boolean
  /** share of generated sales, 0 to 1; null: trained before it was stored */
  synthetic_share: Generated<number | null>
  active: boolean
  trained_at: Ms
  /** id of the newest sale it was trained on */
  newest_sale: number
  /** why this training was rejected, as a sentence; null for a model */
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
  /** null: signed up through WeChat and has not given a number yet */
  mobile: string | null
  /** argon2id, with its salt and parameters */
  password_hash: string | null
  /** when a requested account deletion is carried out */
  off_at: Ms | null
  off_reason: string | null
  /** the deletion was carried out; the row is kept for accounting */
  erased: Generated<boolean>
  nickname: string
  avatar: string
  /** the unlock record whose link brought a new user */
  invited_by: Generated<string | null>
  /** code of the channel that brought a new user; empty: none */
  channel: Generated<string>
  settings: Json<UserSettings>
  /** keyed hashes of the network and the device of the last sign-in by code; null: none */
  code_net: Generated<string | null>
  code_client: Generated<string | null>
  created_at: Ms
}

interface SessionsTable {
  /** SHA-256 of the token; the token itself is not stored */
  token_hash: string
  /** may be shown to the owner */
  id: string
  user_id: string
  /** description of the device for its owner */
  device: string
  seen_at: Ms
  created_at: Ms
  expires_at: Ms
}

interface PasswordTriesTable {
  /** a mobile number, `ip:` and the keyed hash of a network, or for the desk a name, such a hash, or both */
  key: string
  wrong: number
  /** first wrong attempt of the window; the last one while locked */
  since: Ms
}

interface SmsCodesTable {
  id: Generated<number>
  mobile: string
  scene: number
  code_hash: string
  /** keyed hash of the network that requested it; older releases stored the network */
  ip: string
  /** keyed hash of the device's id */
  client: string | null
  sent_at: Ms
  expires_at: Ms
  /** wrong attempts from the network that requested it */
  wrong: Generated<number>
  /** wrong attempts from all other networks */
  wrong_elsewhere: Generated<number>
  used: Generated<boolean>
  /** when the carrier accepted it; null before, and where older releases sent it */
  accepted_at: Generated<Ms | null>
}

export interface RealNamesTable {
  user_id: string
  status: 'PENDING' | 'PASSED' | 'FAILED'
  name_sealed: string | null
  id_no_sealed: string | null
  /** keyed hash of the number, to count the accounts that use it */
  id_hash: string | null
  /** ms of the 18th birthday */
  adult_at: Ms | null
  reason: string | null
  /** day (in China) to which `tries` applies */
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
  /** source of the answers, which determines how far the engine trusts them */
  source: string
  schema_version: number
  answers: Json<Answers>
  /** the answers that were paid for; null: they have not been changed since */
  paid_answers: JsonOrNull<Answers>
  /** hash of the request, to detect duplicate submissions */
  request_key: string
  origin_fen: number
  discount_fen: number
  pay_fen: number
  report_no: string | null
  created_at: Ms
  reported_at: Ms | null
  /** the collection that gave its answers */
  auth_task_id: Generated<string | null>
  /** manual orders: service level, which sets the price */
  level: ManualLevel | null
  /** object keys of screenshots */
  images: JsonDefault<string[]>
  remark: Generated<string>
  pay_type: string | null
  coupon_id: string | null
  /** when an unpaid manual order closes, and when coupons held for an AI order are released */
  pay_expire_at: Ms | null
  paid_at: Ms | null
  /** when an appraiser accepted it; null also while the job has given it to one who has not begun */
  assigned_at: Ms | null
  due_at: Ms | null
  done_at: Ms | null
  cancel_reason: string | null
  appraiser_id: string | null
  /** information the appraiser requested, and the time limit for it */
  info_wanted: string | null
  info_due_at: Ms | null
  /** status to which a refused refund returns */
  refund_from: string | null
  /** REFUNDING: when an unanswered request counts as granted; null = granted, the payment is being returned */
  refund_due_at: Ms | null
  /** reason of a refusal, for the user */
  refund_answer: string | null
  /** revaluation coupon given for it */
  ticket_id: Generated<string | null>
  /** the single free revaluation has been used, or is lost because the provider paid the delivered order back */
  revalued: Generated<boolean>
  /** why its owner asked for it, until the report is opened again for another reason */
  recheck: JsonOrNull<RevaluationRequest>
  /** time of the first question to the appraiser that is not answered; null = none */
  asked_at: Generated<Ms | null>
  late_coupon_at: Ms | null
  /** when it was reassigned automatically before its time limit; once per limit, and per price that is awaited */
  reassigned_at: Ms | null
  urged_at: Ms | null
  urges: Generated<number>
  evaluated_at: Ms | null
  /** when the single addition to the rating was made */
  added_at: Ms | null
  /** when the owner removed the finished order from the list */
  deleted_at: Ms | null
  /** number of the expired report that this order values again for free */
  revalue_of: ColumnType<string | null, string | null | undefined, never>
  /** embedding addresses issued before this time are invalid */
  embeds_ended_at: Generated<Ms | null>
  /** actual sale price of the account as reported to staff; null: not known */
  sold_fen: number | null
  sold_at: Ms | null
  /** whether that sale was screened and, if accepted, is learned from (`screenStaffSales`) */
  sale_judged: Generated<boolean>
  /** when the owner is next asked about the sale; null: a week after the report; 0: no more */
  follow_up_at: Generated<Ms | null>
}

/** How well a model version predicted sales later than its training data. */
interface BacktestsTable {
  game_id: string
  model_version: string
  /** measured on generated sales, which must be disclosed */
  synthetic: boolean
  /** share of generated sales among those tested and learned from; null: not stored */
  synthetic_share: Generated<number | null>
  result: Json<Backtest>
  ran_at: Ms
}

/** Snapshots of the forms that reports were made with, by the SHA-256 of their text. */
interface FormConfigsTable {
  digest: string
  config: Json<FormConfig>
}

export interface CouponTemplatesTable {
  template_id: string
  name: string
  type: 'CASH_OFF' | 'DIRECT' | 'PERCENT' | 'FREE'
  amount_fen: number
  /** PERCENT: 80 means the user pays 80 % */
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
  /** shown in the coupon centre; others are only granted by rules */
  listed: boolean
  sort: number
}

export interface UserCouponsTable {
  coupon_id: string
  template_id: string
  user_id: string
  /** running number of this template for this user, from 1 */
  nth: number
  status: 'UNUSED' | 'LOCKED' | 'USED' | 'EXPIRED'
  start_at: Ms
  end_at: Ms
  received_at: Ms
  used_at: Ms | null
  /** set while LOCKED or USED */
  order_id: string | null
  /** the user has been notified that it is about to expire */
  warned: Generated<boolean>
  /** taken back: never UNUSED again */
  withdrawn: Generated<boolean>
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

/** Uploaded pictures of appraisers. */
export interface PortraitTable {
  /** of the content, which never changes */
  hash: string
  type: string
  bytes: Uint8Array
  created_at: Ms
}

export interface StaffTable {
  staff_id: string
  role: 'CONSULTANT' | 'APPRAISER' | 'ADMIN'
  /** public number, e.g. A017 */
  no: string
  nick: string
  avatar: Generated<string>
  years: Generated<number>
  /** an appraiser's own introduction */
  intro: Generated<string>
  wecom_qr: Generated<string>
  kf_url: Generated<string>
  corp_id: Generated<string>
  /** empty = all games */
  game_ids: JsonDefault<string[]>
  active: Generated<boolean>
  /** a demo appraiser, only in the sandbox */
  sandbox: Generated<boolean>
  sort: Generated<number>
}

/** Credentials of staff for the desk. */
interface StaffLoginsTable {
  staff_id: string
  name: string
  /** argon2id */
  password_hash: string
  /** the password was set by somebody else and must be changed before anything else */
  must_change: boolean
  created_at: Ms
}

interface StaffSessionsTable {
  /** SHA-256 of the cookie */
  token_hash: string
  staff_id: string
  created_at: Ms
  expires_at: Ms
  /** last use, to the minute; null: not used yet */
  seen_at: Generated<Ms | null>
}

/** Audit log of the desk; append-only. */
export interface DeskLogTable {
  id: Generated<number>
  at: Ms
  staff_id: string
  /** see domains/staff/log.ts */
  action: string
  order_id: string | null
  /** other object of the action: a feedback, a login */
  subject: Generated<string>
  /** free of personal data */
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
  /** the single later addition */
  addition: string | null
  addition_images: ColumnType<string[] | null, string | null | undefined, string | null>
  added_at: Ms | null
}

/** Figures computed once a day from a game's sales. */
interface MarketFactsTable {
  game_id: string
  body: Json<MarketStatistics>
  made_at: Ms
}

/** Figures of a model on sales it has not seen, by day. */
interface ModelWatchTable {
  game_id: string
  /** ms: start of the day (UTC) */
  day: Ms
  model_id: number
  /** CHAMPION: in use, FORMER: the one before it, TAKEN_BACK: replaced by the previous one */
  role: string
  n: number
  median_error: number
  coverage: number
  /** share of items and options that the model does not know */
  unknown_share: number
  /** population stability index of the prices */
  stability: number
  verdict: 'FEW' | 'FITS' | 'DRIFTS' | 'TAKEN_BACK'
}

/** Why a model was put into use, refused or rolled back, or is to be trained again; never changed. */
export interface ModelDecisionsTable {
  id: Generated<number>
  game_id: string
  /** of PROMOTED and REFUSED: when the training began, before it read the sales */
  at: Ms
  decision: 'PROMOTED' | 'REFUSED' | 'ROLLED_BACK' | 'ORDERED'
  /** what decided: both models on the same sales, their back-tests, or nothing to compare with */
  rule: 'SAME_SALES' | 'BACKTEST' | 'NONE'
  /** the model in use; null for a first one */
  champion_id: number | null
  /** the new one, or the one rolled back to */
  challenger_id: number | null
  /** sales on which the errors were measured, and the days of these sales */
  n: number | null
  days: number | null
  from_at: Ms | null
  until_at: Ms | null
  champion_error: number | null
  challenger_error: number | null
  /** of the paired difference; null where the sales differ */
  standard_error: number | null
  /** a sentence for staff */
  reason: Generated<string>
  /** id of the newest sale of the game at that time */
  newest_sale: number
}

/** An owner's report about the sale of a valued account, and how often they were asked. */
export interface SaleFollowupsTable {
  order_id: string
  user_id: string
  game_id: string
  /** how often the owner was asked, 0 to 3 */
  asked: Generated<number>
  outcome: Generated<'SOLD' | 'LISTED' | 'KEPT' | null>
  platform: Generated<string>
  list_fen: Generated<number | null>
  listed_at: Generated<Ms | null>
  sold_fen: Generated<number | null>
  sold_at: Generated<Ms | null>
  /** object key of a screenshot of the sale */
  image: Generated<string | null>
  /** time of the report */
  told_at: Generated<Ms | null>
  /** when the one correction of a final answer was made */
  corrected_at: Generated<Ms | null>
  /** given with the consent to use it; null: without an answer, or not yet checked (`followups/rating-prices.ts`) */
  consented: Generated<boolean | null>
  /** `external_id` of the sale it became */
  sale_id: Generated<string | null>
  /** what was done with it; NOTED: models do not learn from it */
  verdict: Generated<'USED' | 'HELD' | 'REFUSED' | 'NOTED' | null>
  /** the thank-you coupon */
  coupon_id: Generated<string | null>
}

/** `opinions`: one appraiser's price for one version of a manual report. */
interface AppraisalsTable {
  order_id: string
  /** version of the report it belongs to */
  version: number
  staff_id: string
  price_fen: number
  comment: string
  at: Ms
  /** the appraisal's details; null: delivered before these were asked for */
  work: JsonOrNull<AppraisalDetails>
}

/** `estimates`: what an appraiser stores of an order before delivery, with the blind estimate. */
interface EstimatesTable {
  order_id: string
  staff_id: string
  /** own blind estimate, given before the model's price is shown; never changed */
  first_fen: number | null
  first_at: Ms | null
  /** delivery form as last saved */
  draft: JsonDefault<Record<string, string>>
  draft_at: Ms | null
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
  /** when to send a reminder outside the app; null: none, or sent */
  remind_at: Ms | null
  created_at: Ms
}

/** A broadcast of staff to all users, and its progress. */
interface BroadcastsTable {
  id: string
  /** ACTIVITY: only to users who opted in */
  kind: 'SYSTEM' | 'ACTIVITY'
  title: string
  body: string
  link: string | null
  created_at: Ms
  /** progress: users up to this id, in order of ids, have received it */
  last_user: Generated<string>
  sent: Generated<number>
  /** when it was sent to all, or withdrawn */
  done_at: Ms | null
  withdrawn_at: Generated<Ms | null>
}

/** An order whose payment message was deleted by its owner. */
interface DeletedReceiptsTable {
  order_id: string
  at: Ms
}

/** One consistency check of orders, payments, ledger, entitlements and coupons (domains/accounting). */
interface LedgerChecksTable {
  id: Generated<number>
  /** start (ms, in China) of the day of this nightly check; null: it was requested manually */
  day: Ms | null
  started_at: Ms
  /** null: it is running, or its process died */
  ended_at: Ms | null
  orders: number | null
  /** number of differences by kind (domains/accounting) */
  counts: JsonOrNull<Record<string, number>>
  /** the first few of each kind */
  differences: JsonOrNull<{ kind: string; orderId: string; ref?: string }[]>
}

export interface ReportsTable {
  report_no: string
  order_id: string
  user_id: string
  game_id: string
  version: number
  status: string
  /** null: a report by an appraiser */
  model_id: number | null
  /** all reports of one user's account share it, see games/account-identity.ts */
  account_id: string
  /** input of the engine, so that the report can be recomputed to the fen; `form`: digest in form_configs */
  inputs: Json<{ answers: Answers; source: string; now: Ms; form: string }>
  /** the whole valuation; parts the reader may not see are removed on output */
  body: Json<Record<string, unknown>>
  /** hash of the body as it was made (reports/verification.ts) */
  digest: Generated<string>
  predict_fen: number
  /** model with which its price was last compared; null: its own */
  moved_model: Generated<number | null>
  /** price last reported to its owner; null: its own */
  moved_fen: Generated<number | null>
  created_at: Ms
  valid_until: Ms
}

interface OrderEventsTable {
  id: Generated<number>
  /** creation of the order, by whose month the table is partitioned; 0: written before it was */
  order_at: Generated<Ms>
  order_id: string
  at: Ms
  from_status: string | null
  to_status: string
  /** see orders/order-transitions.ts */
  actor: Generated<string>
  note: Generated<string>
}

/** One payment attempt of an order; the id is its number at the provider. */
export interface PaymentsTable {
  id: string
  order_id: string
  user_id: string
  pay_type: PayType
  /** `none`: the amount was 0 */
  provider: ProviderName | 'none'
  amount_fen: number
  coupon_id: string | null
  openid: string | null
  return_url: string
  origin: string
  /** CLOSING: the provider has not confirmed yet that it accepts no more money */
  status: 'CREATED' | 'FAILED' | 'CLOSING' | 'CLOSED' | 'PAID'
  /** the provider's transaction number, set with PAID */
  txn: string | null
  created_at: Ms
  expire_at: Ms
  paid_at: Ms | null
  asked_at: Ms | null
  /** when the provider is queried next; null = never */
  next_ask_at: Ms | null
  /** mini-program: when the delivery is reported to WeChat next, and when WeChat confirmed it */
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
  /** creation of the payment, by whose month the table is partitioned; 0: written before it was */
  payment_at: Generated<Ms>
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

/** A refund is always for the full amount; the id is its number at the provider. */
export interface RefundsTable {
  id: string
  payment_id: string
  order_id: string
  amount_fen: number
  reason: string
  /** refund of a payment that settled nothing: the order is not changed */
  surplus: boolean
  status: 'PENDING' | 'PROCESSING' | 'DONE' | 'FAILED'
  tries: Generated<number>
  next_at: Ms | null
  provider_refund_id: string | null
  failure: string | null
  asked_at: Ms
  done_at: Ms | null
}

/** `auth_tasks`: a collection of an account's facts, authorised by its owner. */
export interface CollectionTasksTable {
  id: string
  user_id: string
  game_id: string
  login_type: string
  schema_version: number
  status: TaskStatus
  /** server and public id, for the collector */
  lookup: Json<Answers>
  /** the collector's id of the collection */
  ref: string | null
  webview_url: string | null
  qr: string | null
  qr_expire_at: Ms | null
  qr_refreshes: Generated<number>
  /** progress of the collection, 0 to 100 */
  progress: Generated<number>
  fail_code: string | null
  /** the order that waits for the collection */
  order_id: string | null
  /** asking price of the listing that was pasted before, with its owner's consent, until the order is valued */
  listing_fen: number | null
  /** raw result of the collector, kept 7 days */
  raw: JsonOrNull<unknown>
  /** answers by the form's keys, kept 180 days */
  features: JsonOrNull<Answers>
  /** later corrections by the user: key → value that was read */
  corrections: JsonOrNull<Answers>
  read_at: Ms | null
  created_at: Ms
  changed_at: Ms
  expire_at: Ms
  /** when the user deleted it */
  forgotten_at: Ms | null
}

interface CollectionTaskEventsTable {
  id: Generated<number>
  task_id: string
  at: Ms
  from_status: string | null
  to_status: string
}

/** `game_wishes`: a game requested by a user. */
interface GameRequestsTable {
  id: string
  user_id: string
  name: string
  name_key: string
  platform: string
  remark: string
  created_at: Ms
}

/** `hits`: counters of visits, votes and reported articles. */
interface CountersTable {
  key: string
  biz_id: string
  n: number
}

/** The same counters by day. */
interface HitDaysTable extends CountersTable {
  /** start of the day in China, ms */
  day: number
}

/** Pictures in the embedded storage. */
interface UploadsTable {
  key: string
  user_id: string
  bytes: number
  type: 'image/jpeg' | 'image/png' | 'image/webp'
  created_at: Ms
  /** when it was last found to be in use, 0 = never checked */
  checked_at: Generated<Ms>
}

/** A row that a job failed to process (domains/shared/due-rows.ts). */
interface JobFailuresTable {
  job: string
  row_id: string
  attempts: number
  /** free of personal data */
  reason: string
  first_at: Ms
  last_at: Ms
  /** not retried before */
  next_at: Ms
  /** not retried until staff release it at the desk */
  quarantined_at: Ms | null
}

/** A refund granted by a time limit, counted by the refund limit (domains/orders/automatic-refund-limit.ts). */
interface AutomaticRefundsTable {
  id: Generated<number>
  order_id: string
  amount_fen: number
  at: Ms
}

/**
 * `refund_brake`: a single row, locked by every decision on an automatic refund, so that parallel processes count one after
 * the other.
 */
interface RefundLimitTable {
  id: number
  /** when it last raised an alarm about held-back refunds, and about many late orders */
  alarmed_at: Ms | null
  late_alarmed_at: Ms | null
  /** amount an admin has allowed beyond the limits, within an hour from this time */
  allowed_at: Ms | null
  allowed_count: Generated<number>
  allowed_fen: Generated<number>
  /** last pass of the job, and the one before the clock jumped (0: unknown), until that is over */
  seen_at: Ms | null
  jumped_at: Ms | null
}

/** `removals`: the outbox of deletions outside the database; a row exists until its deletion is done. */
export interface RemovalsTable {
  /** READ: a collection at the collector, PICTURES: all pictures of a user */
  kind: 'READ' | 'PICTURES'
  ref: string
  due_at: Ms
  tries: Generated<number>
}

/** Keyed hash of the mobile number of a deleted account. */
interface LeftMobilesTable {
  mobile_hash: string
  left_at: Ms
}

/** A request of an owner for friends' help, up to three times for an order. */
export interface UnlockRecordsTable {
  id: string
  order_id: string
  user_id: string
  nth: number
  need: number
  got: Generated<number>
  created_at: Ms
  expire_at: Ms
  /** keyed hashes of the device that asked, see unlocks/device.ts */
  owner_client: string | null
  owner_net: string | null
}

interface UnlockHelpsTable {
  record_id: string
  /** user who helped */
  user_id: string
  owner_id: string
  at: Ms
  /** keyed hashes of the device that helped, see unlocks/device.ts */
  client: string | null
  net: string | null
}

/** A shared report; the token gives access to it. */
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
  /** number of the last message each side has seen */
  user_seq: Generated<number>
  staff_seq: Generated<number>
  /** time of the first unanswered message; null = none */
  waiting_since: Ms | null
  /** the user was notified that nobody is available until then */
  told_until: Generated<Ms>
  /** last poll of the user's app */
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
  /** masked before it is stored, see chat/mask.ts */
  body: string
  /** object key */
  image: string | null
  card: JsonOrNull<ChatCard>
  /** a question to the appraiser of this order, or their answer */
  order_id: Generated<string | null>
  /** id given by the sender, which makes sending idempotent */
  client_id: string | null
  /** ms of working time from the question to this answer */
  waited: Ms | null
  at: Ms
}

/** A single-use permission to unlock by one advertisement. */
interface AdNoncesTable {
  nonce: string
  user_id: string
  order_id: string
  issued_at: Ms
  expire_at: Ms
  used_at: Ms | null
}

/** A banner on the home page, set by staff; without a picture a line of notice. */
export interface BannersTable {
  id: Generated<number>
  place: string
  title: string
  /** file among the content folder's pictures, '' = none */
  picture: string
  link: string
  link_type: 'PAGE' | 'WEB' | 'NONE'
  sort: number
  active: boolean
  starts_at: Ms | null
  ends_at: Ms | null
  updated_at: Ms
}

/** A user's WeChat id, by app. */
interface WechatLoginsTable {
  app_id: string
  openid: string
  user_id: string
  unionid: string | null
  created_at: Ms
}

/** A former id of an account that was merged into another: keys of its pictures still contain it. */
interface FormerIdsTable {
  former_id: string
  user_id: string
}

/** `turns`: uses of a limited action since the start of its window, see `throttle`. */
interface ThrottlesTable {
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
  /** identifies one acquisition, not a process */
  holder: string
  until: Ms
}

interface JobRunsTable {
  name: string
  /** when it last succeeded, or was first known; null: by an older release. The database's time, not the sandbox's */
  succeeded_at: Ms | null
}

/** What works on the job queue (PostgreSQL only). */
interface JobWorkersTable {
  /** the queue's name for it, with which it locks jobs */
  id: string
  /** the database's time */
  seen_at: Ms
}

/** How far the reports of a game were compared with its active model. */
interface PriceMoveCursorsTable {
  game_id: string
  model_id: number
  /** time and number of the last report looked at */
  at: Ms
  report_no: string
}

/** `public_figures`: a figure shown to every visitor, and when (ms) it was computed. */
interface PublicFiguresTable {
  key: string
  value: Json<unknown>
  made_at: Ms
}

/** A data export that a user requested (domains/users/data-export). */
export interface DataExportsTable {
  id: string
  user_id: string
  status: 'WAITING' | 'READY' | 'FAILED'
  requested_at: Ms
  /** when a process began to make it */
  claimed_at: Ms | null
  tries: Generated<number>
  /** object key of the ZIP file */
  key: string | null
  bytes: number | null
  ready_at: Ms | null
  /** when row and file are removed */
  expire_at: Ms
}

export interface Tables {
  public_figures: PublicFiguresTable
  price_move_cursors: PriceMoveCursorsTable
  data_exports: DataExportsTable
  chats: ChatsTable
  chat_messages: ChatMessagesTable
  games: GamesTable
  sales: SalesTable
  held_sales: HeldSalesTable
  withdrawn_sales: WithdrawnSalesTable
  sale_followups: SaleFollowupsTable
  market_facts: MarketFactsTable
  model_watch: ModelWatchTable
  model_decisions: ModelDecisionsTable
  partners: PartnersTable
  partner_sources: PartnerSourcesTable
  partner_calls: PartnerCallsTable
  partner_shifts: PartnerShiftsTable
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
  books_checks: LedgerChecksTable
  leases: LeasesTable
  job_runs: JobRunsTable
  job_workers: JobWorkersTable
  payments: PaymentsTable
  provider_notices: ProviderNoticesTable
  ledger: LedgerTable
  refunds: RefundsTable
  feedback: FeedbackTable
  portraits: PortraitTable
  staff: StaffTable
  staff_logins: StaffLoginsTable
  staff_sessions: StaffSessionsTable
  desk_log: DeskLogTable
  valuation_evaluations: ValuationEvaluationsTable
  opinions: AppraisalsTable
  estimates: EstimatesTable
  game_wishes: GameRequestsTable
  hits: CountersTable
  hit_days: HitDaysTable
  uploads: UploadsTable
  removals: RemovalsTable
  automatic_refunds: AutomaticRefundsTable
  job_failures: JobFailuresTable
  refund_brake: RefundLimitTable
  left_mobiles: LeftMobilesTable
  auth_tasks: CollectionTasksTable
  auth_task_events: CollectionTaskEventsTable
  unlock_records: UnlockRecordsTable
  unlock_helps: UnlockHelpsTable
  ad_nonces: AdNoncesTable
  report_shares: ReportSharesTable
  banners: BannersTable
  server_secrets: ServerSecretsTable
  wechat_logins: WechatLoginsTable
  former_ids: FormerIdsTable
  account_names: AccountNamesTable
  turns: ThrottlesTable
}
