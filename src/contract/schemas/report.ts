/** A valuation report. Locked parts are absent from the response, not hidden by the client. */
import { Type } from 'typebox'
import {
  changeTypeText,
  closenessText,
  comparableKindText,
  confidenceText,
  improvementCostText,
  liquidityText,
  manualLevelText,
  riskLevelText,
  strikeReasonText,
} from '../labels'
import { AnswersSchema, among, Bool, Fen, Int, Mode, obj, oneOf, opt, Str, Timestamp, UnitInterval } from './common'

const Price = obj({
  predictFen: Fen,
  lowFen: Fen,
  highFen: Fen,
  quickFen: Fen,
  listFen: Fen,
  /** nominal coverage of the range; absent on an appraiser's, which is not measured */
  coverage: opt(UnitInterval),
  /** keys of the fields without an answer, which are taken at the usual level; absent on an appraiser's */
  assumed: opt(Type.Array(Str)),
  /** the account is beyond all sales: what it is worth above the price is not known */
  openEnded: opt(Bool),
})

/** A signed line; all lines of an unlocked report add up to `predictFen`. */
const BreakdownLine = obj({
  type: among(['BASE', 'ASSET', 'PROGRESS', 'RESOURCE', 'FACTOR', 'MARKET', 'RISK', 'ASSUMED']),
  label: Str,
  amountFen: Int,
  why: opt(Str),
  items: Type.Array(obj({ name: Str, amountFen: Int })),
})

const Comparable = obj({
  id: Str,
  kind: oneOf(comparableKindText),
  priceFen: Fen,
  /** price adjusted to this account */
  adjFen: Fen,
  at: Timestamp,
  closeness: oneOf(closenessText),
  /** what it has in common with the account, and how it differs, in words */
  same: Type.Array(Str),
  diff: Type.Array(Str),
})

/** Why the price departs from the median price of the comparables: in what the account is better and worse than they are. */
const PriceGap = obj({ medianFen: Fen, better: Type.Array(Str), worse: Type.Array(Str) })

const Confidence = obj({
  level: oneOf(confidenceText),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(Str),
  /** those of the reasons that lower the confidence */
  doubts: Type.Array(Str),
  /** comparable sales behind the price */
  sold: Int,
})

/** The other kind of valuation of the same account; a difference of more than 20 % has a reason. */
const OtherReport = obj({
  mode: Mode,
  orderId: Str,
  predictFen: Fen,
  at: Timestamp,
  reason: opt(Str),
})

/** Why the price differs from the account's previous report: signed lines that add up to the difference. */
const Changed = obj({
  reportNo: Str,
  at: Timestamp,
  beforeFen: Fen,
  lines: Type.Array(obj({ type: oneOf(changeTypeText), label: Str, amountFen: Int })),
})

/** The same account valued without some comparables; not stored. */
const Repriced = obj({
  without: Type.Array(Str),
  price: Price,
  confidence: Confidence,
  comparables: Type.Array(Comparable),
})

/** What an appraiser delivers beside price and comment. */
export const AppraisalDetails = obj({
  lowFen: Fen,
  quickFen: Fen,
  listFen: Fen,
  highFen: Fen,
  /** lines of the model's price that the appraiser changed, from `amountFen` to `ownFen` */
  corrections: Type.Array(obj({ label: Str, amountFen: Int, ownFen: Int, why: Str })),
  /** comparables of `Report.ai` that do not fit */
  struck: Type.Array(obj({ id: Str, reason: oneOf(strikeReasonText) })),
  /** what was compared with the pictures, as labels */
  checked: Type.Array(Str),
})

/** Why the owner asked for a later version, and number and price of the one before. */
const Revised = obj({ text: Str, reportNo: Str, beforeFen: Fen })

const Appraiser = obj({
  name: Str,
  no: Str,
  years: Int,
  comment: Str,
  /** of an expert order: the appraiser's own price */
  priceFen: opt(Fen),
  /** named `work` in stored reports too */
  work: AppraisalDetails,
  /** current picture and figures: delivered valuations, gap to sales */
  avatar: opt(Str),
  delivered: opt(Int),
  sales: opt(Int),
  /** median of |price − sale| ÷ sale; absent below `MIN_APPRAISER_SALES` sales */
  medianGap: opt(Type.Number({ minimum: 0 })),
})

const Model = obj({
  name: Str,
  trainedAt: Timestamp,
  sampleN: Int,
  version: Str,
  synthetic: Bool,
  syntheticShare: UnitInterval,
})

/** `about`: the field whose answer it changes. */
const Improvement = obj({ action: Str, about: Str, gainFen: Fen, cost: oneOf(improvementCostText) })

/** The model's whole report on the same answers, included in a manual report. */
const IncludedAi = obj({
  price: Price,
  confidence: Confidence,
  percentile: UnitInterval,
  breakdown: Type.Array(BreakdownLine),
  comparables: Type.Array(Comparable),
  raise: Type.Array(Improvement),
  model: Model,
})

/** `lines`: what the appraiser changed, the largest first; `restFen`: what no line explains; `people`: whose mean it is. */
const Reconciliation = obj({
  aiFen: Fen,
  lines: Type.Array(obj({ label: Str, amountFen: Int })),
  restFen: Int,
  people: Int,
})

export const Report = obj({
  reportNo: Str,
  orderId: Str,
  gameId: Str,
  mode: Mode,
  version: Int,
  status: among(['LOCKED', 'UNLOCKED', 'EXPIRED', 'REVOKED']),
  title: Str,
  /** `name`: the owner's name for it, visible only to the owner */
  account: obj({ nickMasked: opt(Str), idMasked: opt(Str), name: opt(Str) }),
  price: Price,
  /** absent on an appraiser's report, where it is not measured */
  confidence: opt(Confidence),
  /** the first two lines while locked */
  breakdown: Type.Array(BreakdownLine),
  /** number of entries of each part, so that a locked part can announce its content */
  counts: obj({ breakdown: Int, comparables: Int, history: Int, raise: Int }),
  percentile: opt(UnitInterval),
  liquidity: opt(obj({ level: oneOf(liquidityText), days: Type.Unsafe<[number, number]>(Type.Array(Int)) })),
  topItems: opt(Type.Array(obj({ name: Str, amountFen: Int, image: opt(Str) }))),
  comparables: opt(Type.Array(Comparable)),
  /** absent where the price is close to theirs */
  gap: opt(PriceGap),
  history: opt(Type.Array(obj({ at: Timestamp, predictFen: Fen, reason: Str }))),
  /** past prices of this account at its game's price index, ending with this valuation; absent with too few sales */
  trend: opt(Type.Array(obj({ at: Timestamp, fen: Fen }))),
  changed: opt(Changed),
  other: opt(OtherReport),
  repriced: opt(Repriced),
  raise: opt(Type.Array(Improvement)),
  risk: opt(obj({ level: oneOf(riskLevelText), facts: Type.Array(Str) })),
  /** manual only: number of pictures that the appraisers had */
  pictures: opt(Int),
  /** manual only: how the model's price became the report's: `aiFen` + `lines` + `restFen` = the price */
  reconciliation: opt(Reconciliation),
  /** manual only; of an expert order whose price is the middle one, its author */
  appraiser: opt(Appraiser),
  /** of an expert order; in a later version those who valued the version before */
  others: opt(Type.Array(Appraiser)),
  revised: opt(Revised),
  ai: opt(IncludedAi),
  level: opt(oneOf(manualLevelText)),
  /** `synthetic`: trained on generated sales, which must be disclosed to every reader */
  model: opt(Model),
  /** texts by a language model must be labelled; a calculation is not one */
  aiGenerated: Bool,
  createdAt: Timestamp,
  validUntil: Timestamp,
  verifyUrl: opt(Str),
  signature: opt(Str),
  /** the reader is the owner; visitors see it masked */
  mine: opt(Bool),
  /** owner only: the answers, to prefill a new valuation */
  inputs: opt(obj({ schemaVersion: Int, answers: AnswersSchema })),
  /** owner only: the account as lines of a listing, made from the answers */
  listing: opt(Type.Array(Str)),
  /** owner only: asking price of the listing that was pasted, and by which share it is above the price */
  asking: opt(obj({ fen: Fen, overPrice: Type.Number() })),
  /** owner only: the token of the share link */
  shareToken: opt(Str),
})
