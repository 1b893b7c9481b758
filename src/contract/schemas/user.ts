/** Calls of the group `user`. */
import { Type } from 'typebox'
import {
  avatars,
  feedbackStatusText,
  feedbackTypeText,
  messageTypeText,
  realNameStatusText,
  sharedPriceText,
  smsSceneText,
  socialTypes,
} from '../labels'
import {
  among,
  Bool,
  empty,
  GameId,
  Int,
  idOf,
  imageKeys,
  OrderId,
  obj,
  oneOf,
  opt,
  page,
  paging,
  StaffCard,
  Str,
  Timestamp,
  text,
} from './common'
import type { GroupSchemas } from './groupSchemas'

/** Any spelling that `normaliseMobile` understands; the rule is `mobileIssue`. */
const Mobile = text('手机号', 24)
const SmsCode = Type.String({ title: '验证码', minLength: 6, maxLength: 6, pattern: '^\\d{6}$' })
/**
 * Permissive, so that a wrong old password gives PWD_WRONG instead of a validation error; new ones are checked by
 * `passwordIssue`.
 */
const Password = text('密码', 64)
const WxCode = text('微信凭证', 128)
const smsScenes = Object.keys(smsSceneText).map(Number) as (keyof typeof smsSceneText)[]
const feedbackTypes = Object.keys(feedbackTypeText).map(Number) as (keyof typeof feedbackTypeText)[]

const login = { token: Str, userId: Str, newUser: Bool }
export const Login = obj(login)

const settings = {
  pushReport: Bool,
  pushActivity: Bool,
  showAsExample: Bool,
  /** text size factor: 1, 1.15, 1.3 */
  fontScale: Type.Number({ title: '字体大小', minimum: 1, maximum: 2 }),
  reduceMotion: Bool,
  personalised: Bool,
  /** minimum price change in per cent for a notification; 0: never, absent: 5 */
  priceMove: opt(Type.Integer({ title: '行情提醒', minimum: 0, maximum: 50 })),
}
export const UserSettings = obj(settings)

/** A login of the user. `id` is not secret: it only identifies the row to sign out. */
export const Device = obj({ id: Str, name: Str, createdAt: Timestamp, seenAt: Timestamp, current: Bool })

export const UserInfo = obj({
  userId: Str,
  nickname: Str,
  avatar: Str,
  mobileMasked: Str,
  realName: obj({
    status: oneOf(realNameStatusText),
    nameMasked: opt(Str),
    idNoMasked: opt(Str),
    reason: opt(Str),
    triesLeft: opt(Int),
  }),
  hasPassword: Bool,
  wxBound: Bool,
  unread: Int,
  couponCount: Int,
  settings: UserSettings,
  /** only on request */
  devices: opt(Type.Array(Device)),
  /** kinds of prices whose use for the market can be withdrawn; with the devices */
  sharedPrices: opt(Type.Array(oneOf(sharedPriceText))),
})

export const Message = obj({
  id: Str,
  type: oneOf(messageTypeText),
  title: Str,
  summary: Str,
  body: Str,
  bizType: among(['ORDER', 'REPORT', 'UNLOCK', 'COUPON', 'REFUND', 'PRICE', 'SYSTEM', 'ACTIVITY']),
  bizId: opt(Str),
  link: opt(Str),
  read: Bool,
  createdAt: Timestamp,
})

export const Feedback = obj({
  id: Str,
  type: Type.Enum(feedbackTypes, { type: 'integer' }),
  content: Str,
  images: Type.Array(Str),
  contact: opt(Str),
  status: oneOf(feedbackStatusText),
  reply: opt(Str),
  repliedAt: opt(Timestamp),
  createdAt: Timestamp,
})

/** `effectiveAt`: when a requested account deletion is carried out; absent if none is pending. */
export const LoginOffState = obj({
  canOff: Bool,
  blockers: Type.Array(obj({ type: among(['ORDER', 'REFUND', 'COMPLAINT', 'MOBILE']), text: Str, link: Str })),
  effectiveAt: opt(Timestamp),
})

export const user = {
  login: { req: obj({ mobile: Mobile, password: Password }), res: Login },
  resetPassword: { req: obj({ mobile: Mobile, code: SmsCode, password: Password }), res: Type.Literal(true) },
  updatePassword: {
    req: obj({ oldPassword: opt(Password), code: opt(SmsCode), password: Password }),
    res: Type.Literal(true),
  },
  smsLogin: {
    req: obj({
      mobile: Mobile,
      code: SmsCode,
      inviteRecordId: opt(idOf('助力记录')),
      /** binds the number to the logged-in WeChat account without one; if the number has an account, merges the two */
      bind: opt(Bool),
    }),
    res: Login,
  },
  sendSmsCode: {
    req: obj({
      /** if absent: the number of the logged-in account, which the app does not know */
      mobile: opt(Mobile),
      scene: Type.Enum(smsScenes, { type: 'integer', title: '验证码用途' }),
      captchaToken: opt(text('人机验证', 512)),
      /** the device's id, for the limit per device */
      client: opt(text('设备', 64)),
    }),
    res: obj({ nextAt: Timestamp }),
  },
  get: { req: obj({ devices: opt(Bool) }), res: UserInfo },
  queryWeixinMiniAppBind: {
    req: obj({ loginCode: WxCode }),
    res: obj({ bound: Bool, userId: opt(Str), mobileMasked: opt(Str) }),
  },
  socialLogin: {
    req: obj({
      type: Type.Enum(Object.values(socialTypes), { type: 'integer', title: '登录方式' }),
      code: WxCode,
      state: text('登录状态', 128),
      /** binds WeChat to the logged-in account instead of logging in, for payments in WeChat's browser */
      bind: opt(Bool),
    }),
    res: obj({ ...login, openid: Str }),
  },
  weixinMiniAppLogin: { req: obj({ phoneCode: WxCode, loginCode: WxCode, state: text('登录状态', 128) }), res: Login },
  realNameAuth: {
    req: obj({
      name: text('姓名', 30),
      idNo: text('身份证号', 24),
      /** separate consent for identity data */
      consent: Type.Literal(true, { title: '单独同意' }),
    }),
    res: obj({ status: oneOf(realNameStatusText), reason: opt(Str) }),
  },
  messages: {
    req: obj({
      ...paging,
      type: opt(oneOf(messageTypeText, { title: '消息类型' })),
      /** ALL or an id: marks messages as read first */
      read: opt(idOf('消息')),
      /** an id: deletes the message first */
      remove: opt(idOf('消息')),
    }),
    res: page(Message, { unread: Int }),
  },
  customerServiceByOrder: { req: obj({ orderId: OrderId }), res: StaffCard },
  channelLinks: {
    req: obj({ gameId: GameId, reportNo: opt(idOf('报告编号')) }),
    res: Type.Array(obj({ channel: Str, name: Str, url: Str, note: Str })),
  },
  feedbackList: { req: obj(paging), res: page(Feedback) },
  submitFeedback: {
    req: obj({
      type: Type.Enum(feedbackTypes, { type: 'integer', title: '反馈类型' }),
      content: text('反馈内容', 500, 10),
      images: opt(imageKeys('图片', 4)),
      contact: opt(text('联系方式', 50, 0)),
    }),
    res: obj({ id: Str }),
  },
  loginOff: { req: obj({ code: SmsCode, reason: opt(text('注销原因', 100, 0)) }), res: LoginOffState },
  checkLoginOff: { req: empty, res: LoginOffState },
  updateSettings: {
    req: Type.Partial(
      obj({
        ...settings,
        /** also signs out this device, the others, or the one with this id */
        signOut: text('设备', 40),
        /** also sets the owner's name for a report's account; empty: removes it */
        account: obj({ orderId: OrderId, name: text('备注名', 40, 0) }),
        nickname: text('昵称', 40),
        avatar: Type.Enum([...avatars], { title: '头像' }),
        /** also changes the account's number, confirmed by a code to it and a code to the old one or the password */
        mobile: obj({ mobile: Mobile, code: SmsCode, oldCode: opt(SmsCode), password: opt(Password) }),
        /** also withdraws the consent to use prices of this kind for the market */
        withdraw: oneOf(sharedPriceText, { title: '撤回同意' }),
      }),
      { additionalProperties: false },
    ),
    res: UserSettings,
  },
} as const satisfies GroupSchemas<'user'>
