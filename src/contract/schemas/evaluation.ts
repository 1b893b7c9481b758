/** Calls of the group `evaluation`. */
import { Type } from 'typebox'
import { accuracyText, answerSourceText, manualLevelText, taskFailText, taskStatusText } from '../labels'
import { orderTabText } from '../orderStatus'
import {
  AnswersSchema,
  among,
  Bool,
  Fen,
  GameId,
  GameItem,
  Int,
  idOf,
  imageKeys,
  Mode,
  Order,
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
import { FormConfigSchema, OptionTree } from './form'
import type { GroupSchemas } from './groupSchemas'
import { Report } from './report'

const RecordId = idOf('助力记录')
const SchemaVersion = Type.Integer({ title: '表单版本', minimum: 1 })
const ShareToken = Type.String({ title: '分享凭证', minLength: 1, maxLength: 256 })
const Without = Type.String({
  title: '剔除的可比账号',
  maxLength: 200,
  pattern: '^[A-Za-z0-9_-]+(,[A-Za-z0-9_-]+){0,2}$',
})
const Scale = Type.Integer({ title: '倍率', minimum: 1, maximum: 3 })
const stars = (title: string) => Type.Integer({ title, minimum: 1, maximum: 5 })

/** A collection of an account's facts, authorised by its owner. */
export const AutoTask = obj({
  taskId: Str,
  gameId: Str,
  gameName: opt(Str),
  status: oneOf(taskStatusText),
  progress: Type.Integer({ minimum: 0, maximum: 100 }),
  step: Str,
  steps: Type.Array(Str),
  qrUrl: opt(Str),
  qrImage: opt(Str),
  qrExpireAt: opt(Timestamp),
  /** the server's time, for the remaining validity of the code */
  now: opt(Timestamp),
  webviewUrl: opt(Str),
  failCode: opt(oneOf(taskFailText)),
  failMsg: opt(Str),
  retryable: Bool,
  pollAfterMs: Int,
  expireAt: Timestamp,
  /** after SUCCESS: the answers that were read, for the user to check */
  answers: opt(AnswersSchema),
  orderId: opt(Str),
  /** the data read have been deleted */
  forgotten: opt(Bool),
})

/** An owner's rating of a valuation, once per order. */
const rating = {
  score: stars('评分'),
  accuracy: oneOf(accuracyText, { title: '估价准确度' }),
  speed: opt(stars('速度')),
  service: opt(stars('服务')),
  tags: opt(Type.Array(text('标签', 20), { title: '标签', maxItems: 5 })),
  content: opt(text('评价内容', 200, 0)),
  images: opt(imageKeys('图片', 3)),
  anonymous: opt(Bool),
  soldFen: opt(Fen),
  soldAt: opt(Timestamp),
  soldPlatform: opt(text('成交平台', 30, 0)),
}
export const ValuationEvaluation = obj({
  orderId: Str,
  ...rating,
  createdAt: Timestamp,
  /** the single later addition: text and pictures; the stars cannot change */
  addition: opt(Str),
  additionImages: opt(Type.Array(Str)),
  addedAt: opt(Timestamp),
  /** the coupon that a bad rating earned; it ends with a refund of the order, unless it was used before */
  coupon: opt(Type.Enum(['GIVEN', 'REVOKED'], { type: 'string' })),
})

const Helper = obj({ avatar: Str, nickMasked: Str, at: Timestamp })
const unlock = {
  recordId: Str,
  need: Int,
  got: Int,
  status: among(['ONGOING', 'DONE', 'EXPIRED']),
  expireAt: Timestamp,
  helpers: Type.Array(Helper),
  /** the server's time, so that a countdown does not depend on the phone's clock */
  now: opt(Timestamp),
}
/** The owner's view of a help request. `restartsLeft`: how often an expired one can be restarted. */
export const UnlockRecord = obj({ orderId: Str, ...unlock, restartsLeft: opt(Int) })
/** A helper's view: who asks and for which game, without price and order. */
export const UnlockHelp = obj({
  ...unlock,
  ownerNickMasked: Str,
  gameId: Str,
  gameName: Str,
  /** the reader has already helped */
  helped: opt(Bool),
  /** the reader is the owner: id of the order */
  ownOrderId: opt(Str),
})
/** A random id stored on the device, to detect owners who help themselves. */
const Client = text('设备', 64)

export const Contrast = obj({
  columns: Type.Array(
    obj({
      ...{
        orderId: Str,
        reportNo: Str,
        title: Str,
        idMasked: opt(Str),
        name: opt(Str),
        createdAt: opt(Timestamp),
        mode: Mode,
      },
      price: obj({ predictFen: Fen, lowFen: Fen, highFen: Fen }),
    }),
  ),
  /**
   * `best`: index of the column whose value is the highest, absent if there is none. No column is labelled as better,
   * because that depends on the buyer.
   */
  rows: Type.Array(obj({ label: Str, values: Type.Array(Str), best: opt(Int) })),
  summary: Str,
})

/** Questions that decide most of a game's price, most informative first, each answered by one tap. */
const QuickEstimate = obj({
  schemaVersion: Int,
  questions: Type.Array(
    obj({
      /** of the field */
      key: Str,
      label: Str,
      /** `answer`: of a band of numbers, that of its middle account */
      options: Type.Array(obj({ t: Str, answer: Type.Union([Type.Number(), Str]) })),
    }),
  ),
})

export const GameDetail = obj({
  ...GameItem.properties,
  estSeconds: Type.Number(),
  readList: Type.Array(Str),
  /** absent while the game has no model */
  quick: opt(QuickEstimate),
})

/** The price of the pasted listing, which the report compares; with `consent` it is used for the market, too. */
const PricedListing = Type.Object(
  { askFen: Fen, consent: opt(Type.Literal(true)) },
  { title: '挂牌价', additionalProperties: false },
)

/** A game's form with information for this user. */
export const PrefilledForm = obj({
  ...FormConfigSchema.properties,
  /** AI: free valuations left today for a logged-in user */
  freeLeft: opt(Int),
  /** AI, none left: accounts of this user with an expired report can still be valued again for free */
  freeAgain: opt(Bool),
  /** whether the form can be filled in from screenshots */
  screenshots: opt(Bool),
  /** answers of the user's newest report of this game */
  last: opt(obj({ answers: AnswersSchema, at: Timestamp })),
})

export const evaluation = {
  gameList: { req: obj({ keyword: opt(text('关键词', 32, 0)) }), res: Type.Array(GameItem) },
  gameServer: { req: obj({ gameId: GameId }), res: OptionTree },
  gameDetail: { req: obj({ gameId: GameId }), res: GameDetail },
  taskCreate: {
    req: obj({
      gameId: GameId,
      loginType: text('登录方式', 32),
      /** data that identify the account: server, public id */
      answers: opt(AnswersSchema),
      /** an existing order that needs a new read */
      orderId: opt(OrderId),
      /** acts on this existing task: stop it, renew its code, delete its data */
      taskId: opt(idOf('授权任务')),
      action: opt(among(['CANCEL', 'REFRESH_QR', 'FORGET'], { title: '操作' })),
    }),
    res: AutoTask,
  },
  taskRecord: { req: obj({ taskId: idOf('授权任务') }), res: AutoTask },
  gameConfig: { req: obj({ gameId: GameId, mode: Mode }), res: PrefilledForm },
  orderList: {
    req: obj({
      tab: oneOf(orderTabText, { title: '分类' }),
      mode: opt(Mode),
      gameId: opt(GameId),
      keyword: opt(text('关键词', 32, 0)),
      ...paging,
    }),
    res: page(Order),
  },
  /**
   * By orderId (owner) or reportNo; visitors need the share token. `without`: up to three comma-separated ids of
   * comparables that the owner rejects; the response then has `repriced`.
   */
  reportGet: {
    req: obj({
      orderId: opt(OrderId),
      reportNo: opt(idOf('报告编号')),
      shareToken: opt(ShareToken),
      without: opt(Without),
    }),
    res: Report,
  },
  linkVerify: {
    req: obj({
      /** if absent, the text must name the game */
      gameId: opt(GameId),
      link: opt(text('链接', 500)),
      number: opt(text('商品编号', 64)),
      text: opt(text('商品描述', 2000)),
    }),
    res: obj({
      ...{ ok: Bool, platform: opt(Str), gameId: Str, parsed: AnswersSchema, missing: Type.Array(Str) },
      /** the only price the text asks for */
      askFen: opt(Fen),
    }),
  },
  submitAi: {
    req: obj({
      gameId: GameId,
      schemaVersion: SchemaVersion,
      answers: AnswersSchema,
      taskId: opt(idOf('授权任务')),
      source: oneOf(answerSourceText, { title: '资料来源' }),
      /** idempotency key of this draft: a retry after a lost response gets the same order */
      requestId: opt(idOf('提交编号')),
      listing: opt(PricedListing),
    }),
    res: obj({ orderId: Str, status: Order.properties.status }),
  },
  consultStaff: { req: obj({ gameId: opt(GameId) }), res: StaffCard },
  applyCancel: {
    req: obj({
      orderId: OrderId,
      reason: text('取消原因', 100),
      remark: opt(text('补充说明', 100, 0)),
      /** the status whose consequences the user confirmed; if it has changed, they are asked again */
      seen: opt(Order.properties.status),
    }),
    res: obj({ status: Order.properties.status, refundFen: Fen }),
  },
  submitManual: {
    req: obj({
      gameId: GameId,
      schemaVersion: SchemaVersion,
      answers: AnswersSchema,
      images: opt(imageKeys('账号截图', 9)),
      level: oneOf(manualLevelText, { title: '服务档位' }),
      remark: opt(text('补充说明', 200, 0)),
      listing: opt(PricedListing),
      /**
       * an existing order: adds `images` to an unpaid one, or without any changes its `level`; supplies information the
       * appraiser requested (WAIT_INFO → ASSIGNED); or requests the free revaluation (REPORTED → REVALUING), which
       * `remark` gives the reason of. Answers given in the last two replace those of the same key.
       */
      orderId: opt(OrderId),
    }),
    res: obj({ orderId: Str, originFen: Fen }),
  },
  saveGameFeedback: {
    req: obj({
      gameName: text('游戏名称', 30, 2),
      platform: opt(text('平台', 30, 0)),
      remark: opt(text('备注', 100, 0)),
    }),
    res: obj({ id: Str }),
  },
  saveEvaluation: { req: obj({ orderId: OrderId, ...rating }), res: ValuationEvaluation },
  /** null if the order has none */
  getEvaluation: { req: obj({ orderId: OrderId }), res: Type.Union([ValuationEvaluation, Type.Null()]) },
  /**
   * `hide`: parts the owner omits, NICK and RANGE separated by a comma. `format`: the poster, or the whole report as a
   * document (unlocked reports only). `url`: a path means this server. `size` in bytes.
   */
  reportImage: {
    req: obj({
      orderId: OrderId,
      scale: opt(Scale),
      hide: opt(text('隐藏内容', 32, 0)),
      format: opt(Type.Enum(['PNG', 'PDF'], { type: 'string', title: '格式' })),
    }),
    res: obj({ url: Str, width: Int, height: Int, expireAt: Timestamp, size: opt(Int) }),
  },
  /**
   * By `orderId` the owner starts or revokes sharing (then `url` is empty), or gets a short-lived embedding address; by
   * token the content of a share.
   */
  reportImageShare: {
    req: obj({ shareToken: opt(ShareToken), orderId: opt(OrderId), withdraw: opt(Bool), embed: opt(Bool) }),
    res: obj({ title: Str, image: Str, url: Str, desc: Str, shareToken: opt(Str) }),
  },
  /** starts a help request if there is none; `restart` starts a new one after it has expired */
  unlockRecord: { req: obj({ orderId: OrderId, restart: opt(Bool), client: opt(Client) }), res: UnlockRecord },
  unlockHelpList: { req: obj({ recordId: RecordId }), res: UnlockHelp },
  unlockHelp: { req: obj({ recordId: RecordId, client: opt(Client) }), res: UnlockHelp },
  hotGame: {
    req: obj({ limit: opt(Type.Integer({ title: '数量', minimum: 1, maximum: 50 })) }),
    res: Type.Array(GameItem),
  },
  contrastAnalysis: {
    req: obj({ orderIds: Type.Array(OrderId, { title: '订单', minItems: 2, maxItems: 4, uniqueItems: true }) }),
    res: Contrast,
  },
} as const satisfies GroupSchemas<'evaluation'>
