/** A valuation report (product 2.4). What is locked is absent from the answer, never blurred. */
import { Type } from 'typebox'
import {
  breakdownTypeText,
  changeTypeText,
  comparableKindText,
  confidenceText,
  liquidityText,
  raiseCostText,
  reportStatusText,
  riskLevelText,
} from '../labels'
import { AnswersSchema, At, Bool, Fen, Fraction, Int, Mode, obj, oneOf, opt, Str } from './common'

const Price = obj({
  predictFen: Fen,
  lowFen: Fen,
  highFen: Fen,
  quickFen: opt(Fen),
  listFen: opt(Fen),
  /** share of sales the range is meant to hold; a person's price has no measured range: low = high, no coverage */
  coverage: opt(Fraction),
})

/** A signed line; all lines of an unlocked report add up to `predictFen`. */
const BreakdownLine = obj({
  type: oneOf(breakdownTypeText),
  label: Str,
  amountFen: Int,
  why: opt(Str),
  items: Type.Array(obj({ name: Str, amountFen: Int })),
})

const Comparable = obj({
  id: Str,
  kind: oneOf(comparableKindText),
  priceFen: Fen,
  /** price brought to this account */
  adjFen: Fen,
  at: At,
  similarity: Fraction,
  diff: Type.Array(Str),
})

const Confidence = obj({
  level: oneOf(confidenceText),
  score: Type.Number({ minimum: 0, maximum: 100 }),
  reasons: Type.Array(Str),
  /** those of the reasons that speak against the price */
  doubts: opt(Type.Array(Str)),
})

/** The other way of valuing the same account; a gap of more than 20 % carries its reason. */
const OtherReport = obj({
  mode: Mode,
  /** absent: computed beside a person's report, not a report of its own */
  orderId: opt(Str),
  predictFen: Fen,
  lowFen: Fen,
  highFen: Fen,
  at: At,
  reason: opt(Str),
})

/** Why the price differs from the account's report before: signed lines that add up to the difference. */
const Changed = obj({
  reportNo: Str,
  at: At,
  beforeFen: Fen,
  lines: Type.Array(obj({ type: oneOf(changeTypeText), label: Str, amountFen: Int })),
})

/** The same account priced again without some comparables; nothing of it is stored. */
const Repriced = obj({
  without: Type.Array(Str),
  price: Price,
  confidence: Confidence,
  comparables: Type.Array(Comparable),
})

const Appraiser = obj({ name: Str, no: Str, years: Int, comment: Str, priceFen: opt(Fen) })

export const Report = obj({
  reportNo: Str,
  orderId: Str,
  gameId: Str,
  mode: Mode,
  version: Int,
  status: oneOf(reportStatusText),
  title: Str,
  /** `name`: what its owner calls it, told to nobody else */
  account: obj({ nickMasked: opt(Str), idMasked: opt(Str), name: opt(Str) }),
  price: Price,
  /** absent on a person's report: nobody measured it */
  confidence: opt(Confidence),
  /** the first two lines while locked */
  breakdown: Type.Array(BreakdownLine),
  /** how much there is of each part, so that a locked part can say what it holds */
  counts: obj({ breakdown: Int, topItems: Int, comparables: Int, history: Int, raise: Int }),
  percentile: opt(Fraction),
  liquidity: opt(obj({ level: oneOf(liquidityText), days: Type.Unsafe<[number, number]>(Type.Array(Int)) })),
  topItems: opt(Type.Array(obj({ name: Str, amountFen: Int, image: opt(Str) }))),
  comparables: opt(Type.Array(Comparable)),
  history: opt(Type.Array(obj({ at: At, predictFen: Fen, reason: Str }))),
  changed: opt(Changed),
  other: opt(OtherReport),
  repriced: opt(Repriced),
  raise: opt(Type.Array(obj({ action: Str, gainFen: Fen, cost: oneOf(raiseCostText) }))),
  risk: opt(obj({ level: oneOf(riskLevelText), facts: Type.Array(Str) })),
  /** manual only; of an expert order both, each with the price they came to */
  appraiser: opt(Appraiser),
  second: opt(Appraiser),
  /** `synthetic`: learned from generated sales, which every reader must be told */
  model: opt(obj({ name: Str, trainedAt: At, sampleN: Int, version: opt(Str), synthetic: opt(Bool) })),
  /** texts a language model wrote must be labelled; a pure calculation is not one */
  aiGenerated: Bool,
  createdAt: At,
  validUntil: At,
  verifyUrl: opt(Str),
  signature: opt(Str),
  /** the reader owns it; visitors see it masked */
  mine: opt(Bool),
  /** owner only: what was answered, to value the account again without typing */
  inputs: opt(obj({ schemaVersion: Int, answers: AnswersSchema })),
  /** owner only: what a share link carries */
  shareToken: opt(Str),
})
