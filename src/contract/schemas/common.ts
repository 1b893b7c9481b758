/**
 * Building blocks of the schemas. Objects are closed on both sides: unknown fields of a request are refused, undeclared
 * fields of a response are stripped. `title` is the Chinese name used in messages about a field.
 */
import { type TProperties, type TSchema, Type } from 'typebox'
import { PAGE_SIZE_MAX } from '../constants'
import type { Answers } from '../form/values'
import {
  couponScopeText,
  couponTypeText,
  keysOf,
  manualLevelText,
  modeText,
  payTypeText,
  userCouponStatusText,
} from '../labels'
import { aiOrderStatusText, manualOrderStatusText, orderActionText } from '../orderStatus'

export const obj = <P extends TProperties>(properties: P) => Type.Object(properties, { additionalProperties: false })
export const opt = Type.Optional

/** One of the keys of a label table. */
export const oneOf = <T extends object>(table: T, options: { title?: string } = {}) =>
  Type.Enum(keysOf(table), { type: 'string', ...options })

/** One of these words. */
export const among = <const T extends string>(values: readonly T[], options: { title?: string } = {}) =>
  Type.Enum([...values], { type: 'string', ...options })

/** Text of a request, 1 to `max` characters. */
export const text = (title: string, max: number, min = 1) => Type.String({ title, minLength: min, maxLength: max })

/** An id in a request, as issued by the server, at most 64 characters. */
export const idOf = (title: string) => Type.String({ title, minLength: 1, maxLength: 64, pattern: '^[A-Za-z0-9_-]+$' })

/** Uploaded pictures as object keys (`u/{userId}/{date}/{uuid}`). */
export const imageKeys = (title: string, max: number) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { title, maxItems: max })

/** Money in fen. */
export const Fen = Type.Integer({ minimum: 0, maximum: 1_000_000_000_000 })
/** A time in ms. */
export const Timestamp = Type.Integer({ minimum: 0 })
export const Str = Type.String()
export const Int = Type.Integer()
export const Bool = Type.Boolean()
/** 0 to 1 */
export const UnitInterval = Type.Number({ minimum: 0, maximum: 1 })

/** Paging of a request. GET parameters arrive as strings and are coerced by the server. */
export const paging = {
  pageNo: opt(Type.Integer({ title: '页码', minimum: 1, maximum: 10_000 })),
  pageSize: opt(Type.Integer({ title: '每页条数', minimum: 1, maximum: PAGE_SIZE_MAX })),
}

/** A page of a list, with additional fields where a call has them. */
export const page = <T extends TSchema, P extends TProperties = Record<never, never>>(item: T, beside?: P) =>
  obj({ list: Type.Array(item), total: Int, pageNo: Int, pageSize: Int, ...(beside as P) })

export const GameId = Type.String({ title: '游戏', minLength: 1, maxLength: 32, pattern: '^[A-Za-z0-9_-]+$' })
export const OrderId = idOf('订单')
export const Mode = oneOf(modeText, { title: '估价方式' })
export const empty = obj({})

/**
 * Answers by field key. Types and limits are checked by the form config (`form/validate.ts`); the schema only restricts
 * the outer structure, so that a body cannot contain arbitrary data.
 */
const Scalar = Type.Union([Type.Number(), Type.Boolean(), Type.String({ maxLength: 2000 })])
const Row = Type.Record(Type.String({ maxLength: 20 }), Scalar, { maxProperties: 6 })
export const AnswersSchema = Type.Unsafe<Answers>(
  Type.Record(
    Type.String({ maxLength: 64 }),
    Type.Union([Scalar, Type.Array(Type.Union([Type.String({ maxLength: 200 }), Row]), { maxItems: 200 })]),
    { title: '填写内容', maxProperties: 100 },
  ),
)

export const GameItem = obj({
  gameId: Str,
  name: Str,
  icon: Str,
  /** A–Z, section of the index */
  letter: Str,
  hot: Bool,
  aiMode: among(['PUBLIC_ID', 'QR_AUTH', 'MANUAL_FORM']),
  modes: Type.Array(Mode),
  status: among(['ONLINE', 'MAINTAIN', 'OFFLINE']),
  /** median error of the last 30 days as a fraction; absent if the sample is too small to publish */
  accuracy: opt(UnitInterval),
  /** true: the accuracy was measured on generated sales, which must be disclosed */
  synthetic: opt(Bool),
})

/** A consultant. */
export const StaffCard = obj({
  staffId: Str,
  nick: Str,
  avatar: Str,
  wecomQr: Str,
  kfUrl: Str,
  corpId: Str,
  online: Bool,
  serviceHours: Str,
  avgReplySec: Int,
})

const orderStatuses = { ...aiOrderStatusText, ...manualOrderStatusText }

export const Order = obj({
  orderId: Str,
  orderNo: Str,
  mode: Mode,
  gameId: Str,
  gameName: Str,
  gameIcon: Str,
  title: Str,
  status: oneOf(orderStatuses),
  statusText: Str,
  payStatus: among(['UNPAID', 'PAID', 'REFUNDING', 'REFUNDED']),
  originFen: Fen,
  discountFen: Fen,
  payFen: Fen,
  couponId: opt(Str),
  payType: opt(oneOf(payTypeText)),
  createdAt: Timestamp,
  /** AI valuation in progress: usual seconds for this game */
  estSeconds: opt(Int),
  payExpireAt: opt(Timestamp),
  paidAt: opt(Timestamp),
  assignedAt: opt(Timestamp),
  dueAt: opt(Timestamp),
  /** not delivered at `dueAt`: when it is refunded in full, and whether the coupon for the delay was given */
  late: opt(obj({ refundAt: Timestamp, coupon: Bool })),
  reportedAt: opt(Timestamp),
  /** until when an order waits for the information its appraiser has asked for; then it is cancelled and refunded */
  supplyUntil: opt(Timestamp),
  /** until when questions to the appraiser of a delivered manual report are taken */
  askUntil: opt(Timestamp),
  /** `getInfo` of a delivered manual order: who valued it */
  appraiser: opt(Str),
  doneAt: opt(Timestamp),
  cancelReason: opt(Str),
  /** manual orders: the chosen service */
  level: opt(oneOf(manualLevelText)),
  /** a message for the owner: the appraiser's request, or why a cancellation was refused */
  notice: opt(Str),
  reportNo: opt(Str),
  /** the report's price, if there is a report; shown on record cards */
  predictFen: opt(Fen),
  lowFen: opt(Fen),
  highFen: opt(Fen),
  /** the price of the account's report before this one */
  beforeFen: opt(Fen),
  /** the owner's name for the account */
  accountName: opt(Str),
  evaluated: Bool,
  actions: Type.Array(oneOf(orderActionText)),
  /** `getInfo` of an order that can be valued again: its answers, to prefill the form */
  inputs: opt(obj({ schemaVersion: Int, answers: AnswersSchema })),
})

const couponRule = {
  templateId: Str,
  name: Str,
  type: oneOf(couponTypeText),
  /** CASH_OFF and DIRECT */
  amountFen: opt(Fen),
  /** PERCENT: 80 means the user pays 80 %, with at most `capFen` off */
  percent: opt(Type.Integer({ minimum: 1, maximum: 99 })),
  capFen: opt(Fen),
  /** 0 = none */
  thresholdFen: Fen,
  scope: oneOf(couponScopeText),
  gameIds: Type.Array(Str),
}

/** A coupon template without the fields of the coupon centre. */
export const couponTemplate = {
  ...couponRule,
  /** −1 = no limit */
  total: Type.Integer({ minimum: -1 }),
  perUser: Int,
  validType: Type.Enum(['DATE', 'DAYS'], { type: 'string' }),
  startAt: opt(Timestamp),
  endAt: opt(Timestamp),
  days: opt(Int),
  receiveStartAt: opt(Timestamp),
  receiveEndAt: opt(Timestamp),
}

/** A user's coupon, valid from `startAt` to `endAt`. */
export const userCoupon = {
  couponId: Str,
  ...couponRule,
  status: oneOf(userCouponStatusText),
  startAt: Timestamp,
  endAt: Timestamp,
  receivedAt: Timestamp,
  usedAt: opt(Timestamp),
  orderId: opt(Str),
  /** discount on the order in question */
  discountFen: opt(Fen),
}
export const UserCoupon = obj(userCoupon)
/** A coupon that does not apply to the order, and why. */
export const UnusableCoupon = obj({ ...userCoupon, reason: Str })
