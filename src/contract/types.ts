/** Types of requests and responses, derived from the schemas. To be imported as types only. */
import type { Static, TSchema } from 'typebox'
import type { CallGroup, CallOf } from './calls'
import type { ErrorCode } from './errors'
import type { answerSourceText } from './labels'
import type { schemas } from './schemas'
import type * as App from './schemas/app'
import type * as Chat from './schemas/chat'
import type * as Common from './schemas/common'
import type * as Coupons from './schemas/coupon'
import type * as Evaluation from './schemas/evaluation'
import type * as Market from './schemas/market'
import type * as Pay from './schemas/pay'
import type { AppraisalDetails as AppraisalDetailsSchema, Report as ReportSchema } from './schemas/report'
import type * as Sale from './schemas/sale'
import type * as Screenshot from './schemas/screenshot'
import type * as User from './schemas/user'

export type Schemas = typeof schemas

type StaticOf<S> = S extends TSchema ? Static<S> : never
type Pair<R extends CallGroup, C extends CallOf<R>, Side extends 'req' | 'res'> = C extends keyof Schemas[R]
  ? Schemas[R][C] extends Record<Side, infer S>
    ? StaticOf<S>
    : never
  : never

/** Request of a call. */
export type Req<R extends CallGroup, C extends CallOf<R>> = Pair<R, C, 'req'>
/** `data` in the response of a call. */
export type Res<R extends CallGroup, C extends CallOf<R>> = Pair<R, C, 'res'>

/** Every response, including errors. `code` is `OK` or one of `ErrorCode`; other servers may send numbers. */
export interface Envelope<T> {
  success: boolean
  msg: string
  data: T
  code: ErrorCode | (string & {}) | number
}

export interface Page<T> {
  list: T[]
  total: number
  pageNo: number
  pageSize: number
}

export type Login = Static<typeof User.Login>
export type Device = Static<typeof User.Device>
export type UserInfo = Static<typeof User.UserInfo>
export type UserSettings = Static<typeof User.UserSettings>
export type Message = Static<typeof User.Message>
export type Feedback = Static<typeof User.Feedback>
export type LoginOffState = Static<typeof User.LoginOffState>
export type StaffCard = Static<typeof Common.StaffCard>
export type GameItem = Static<typeof Common.GameItem>
export type MarketPage = Static<typeof Market.MarketPage>
export type ReadAnswers = Static<typeof Screenshot.ReadAnswers>
export type ScreenshotTask = Static<typeof Screenshot.ScreenshotTask>
export type SaleFollowUp = Static<typeof Sale.SaleFollowUp>
export type Order = Static<typeof Common.Order>
export type OrderAction = Order['actions'][number]
export type UserCoupon = Static<typeof Common.UserCoupon>
export type UnusableCoupon = Static<typeof Common.UnusableCoupon>
export type CentreCoupon = Static<typeof Coupons.CentreCoupon>
export type PreOrder = Static<typeof Pay.PreOrder>
export type AppraisalDetails = Static<typeof AppraisalDetailsSchema>
export type Report = Static<typeof ReportSchema>
export type GameDetail = Static<typeof Evaluation.GameDetail>
export type PrefilledForm = Static<typeof Evaluation.PrefilledForm>
export type AutoTask = Static<typeof Evaluation.AutoTask>
export type TaskStatus = AutoTask['status']
export type TaskFail = NonNullable<AutoTask['failCode']>
export type ValuationEvaluation = Static<typeof Evaluation.ValuationEvaluation>
export type UnlockRecord = Static<typeof Evaluation.UnlockRecord>
export type UnlockHelp = Static<typeof Evaluation.UnlockHelp>
export type Contrast = Static<typeof Evaluation.Contrast>
export type AnswerSource = keyof typeof answerSourceText
export type Banner = Static<typeof App.Banner>
export type HomeCounts = Static<typeof App.HomeCounts>
export type TickerOrder = Static<typeof App.TickerOrder>
export type ReportCard = Static<typeof App.ReportCard>
export type Document = Static<typeof App.Document>
export type ArticleCard = Static<typeof App.ArticleCard>
export type Article = Static<typeof App.Article>
export type FaqGroup = Static<typeof App.FaqGroup>
export type UploadToken = Static<typeof App.UploadToken>
export type OpenPayStatus = Static<typeof App.OpenPayStatus>
export type ChatMessage = Static<typeof Chat.ChatMessage>
export type ChatCard = Static<typeof Chat.ChatCard>
export type ChatPage = Static<typeof Chat.ChatPage>
