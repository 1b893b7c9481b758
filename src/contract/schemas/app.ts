/** Calls of the group `app`: home, content, uploads, switches. */
import { Type } from 'typebox'
import { articleTypeText, documentKeyText } from '../labels'
import {
  among,
  Bool,
  empty,
  Fen,
  GameId,
  GameItem,
  Int,
  idOf,
  obj,
  oneOf,
  opt,
  page,
  paging,
  Str,
  Timestamp,
  text,
  UnitInterval,
} from './common'
import type { GroupSchemas } from './groupSchemas'

const Platform = text('平台', 32)
const linkTypes = { PAGE: '页面', WEB: '网页', NONE: '无' } as const

/** `title`: the text on it and its accessible name. Without an `image` it is a notice: one line of text. */
export const Banner = obj({ id: Str, title: opt(Str), image: Str, link: Str, linkType: oneOf(linkTypes) })

/** Measured numbers or absent. `synthetic`: the error was measured on generated sales, which must be disclosed. */
export const HomeCounts = obj({
  users: opt(Int),
  reports: opt(Int),
  games: opt(Int),
  accuracyMedian: opt(UnitInterval),
  synthetic: opt(Bool),
})

/** One of the latest valuations, by users who agreed; `priceFen` is rounded to 100 yuan. */
export const TickerOrder = obj({ gameName: Str, nickMasked: Str, priceFen: Fen, minutesAgo: Int })

/**
 * A featured report: shown to everybody with its owner's consent, masked. Of a game that has none, the valuation of a sold
 * account, without `nickMasked` and `reason`.
 */
export const ReportCard = obj({
  reportNo: Str,
  gameId: Str,
  gameName: Str,
  title: Str,
  nickMasked: Str,
  predictFen: Fen,
  lowFen: Fen,
  highFen: Fen,
  /** share of sold accounts with a lower price, 0–1 */
  percentile: opt(Type.Number()),
  /** prices of some comparable sales, adjusted to this account */
  soldFen: opt(Type.Array(Fen)),
  /** reason of its selection */
  reason: Str,
  createdAt: Timestamp,
  /** measured on generated sales, which must be disclosed */
  synthetic: opt(Bool),
})

/** `more`: tables that belong to the text, collapsed at first */
export const Document = obj({ title: Str, html: Str, more: opt(Str), version: Str, updatedAt: Timestamp })

const articleCard = {
  id: Str,
  type: oneOf(articleTypeText),
  title: Str,
  cover: Str,
  summary: opt(Str),
  views: Int,
  publishAt: Timestamp,
}
export const ArticleCard = obj(articleCard)
/** `related`: articles of the same kind, which saves the page a second call. */
export const Article = obj({ ...articleCard, html: Str, related: opt(Type.Array(ArticleCard)) })

/** `answer` is HTML from the server. */
export const FaqGroup = obj({ title: Str, items: Type.Array(obj({ id: Str, question: Str, answer: Str })) })

/**
 * Permission to upload pictures. The client posts a form to `host` (a path means this server): the fields
 * of `token` (JSON), `key` = `dir` + a uuid, `Content-Type`, and last the file as `file`. 2xx means stored. `maxSize`
 * in bytes. `url`: address of the picture requested by `key`, valid for 15 minutes; then there is no form.
 */
export const UploadToken = obj({ token: Str, host: Str, dir: Str, expireAt: Timestamp, maxSize: Int, url: opt(Str) })
/** `scene`: a key of uploadSceneText */
const uploadReq = obj({ scene: text('上传场景', 32), key: opt(text('图片', 200)) })

/**
 * The operator's settings for where the app runs. `freePerDay`: free AI valuations per user and day. `manualFromFen`:
 * the cheapest human service, if anything is for sale. `images`: default pictures of shares; paths or https. `wechat`:
 * silent login in WeChat's browser is available. `webDomains`: domains that may be shown inside the app, besides our
 * own.
 */
export const OpenPayStatus = obj({
  pay: among(['OFF', 'VIRTUAL', 'NORMAL']),
  help: Bool,
  ad: Bool,
  manual: Bool,
  freePerDay: opt(Int),
  manualFromFen: opt(Fen),
  images: opt(obj({ share: Str, ios: Str })),
  wechat: opt(Bool),
  webDomains: opt(Type.Array(Str)),
})

export const app = {
  banner: { req: obj({ place: text('位置', 32) }), res: Type.Array(Banner) },
  homeDataCount: { req: empty, res: HomeCounts },
  lastFifteenOrder: { req: empty, res: Type.Array(TickerOrder, { maxItems: 15 }) },
  homeGameList: { req: empty, res: Type.Array(GameItem) },
  documentGet: { req: obj({ key: oneOf(documentKeyText, { title: '文档' }) }), res: Document },
  stsPost: { req: uploadReq, res: UploadToken },
  stsGet: { req: uploadReq, res: UploadToken },
  openPayStatus: { req: obj({ platform: Platform, version: text('版本', 20) }), res: OpenPayStatus },
  helpCenter: { req: obj({ keyword: opt(text('关键词', 32, 0)) }), res: Type.Array(FaqGroup) },
  informationPage: {
    req: obj({ type: oneOf(articleTypeText, { title: '资讯类型' }), ...paging }),
    res: page(ArticleCard),
  },
  informationDetail: { req: obj({ id: idOf('文章') }), res: Article },
  /** `perGame`: only the newest of each game */
  excellentReportList: { req: obj({ ...paging, gameId: opt(GameId), perGame: opt(Bool) }), res: page(ReportCard) },
  latestVersion: {
    req: obj({ platform: Platform }),
    res: obj({ version: Str, code: Int, force: Bool, url: Str, note: Str }),
  },
  feedbackUserCount: { req: empty, res: obj({ n: Int }) },
  countHit: { req: obj({ key: text('统计项', 64), bizId: opt(text('对象', 64)) }), res: obj({ n: Int }) },
} as const satisfies GroupSchemas<'app'>
