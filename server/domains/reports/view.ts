import type { Selectable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { estimate, shownFen } from '@/contract/format'
import type { ManualLevel } from '@/contract/labels'
import { maskGameId } from '@/contract/mask'
import { withoutBinding } from '@/contract/reconciliation'
import type { Report } from '@/contract/types'
import type { Deps } from '../../context'
import type { Reports } from '../../db/tables'
import type { MarketStatistics } from '../../engine/price-index'
import { type Amounts, fillAmounts } from './amount-placeholders'
import { mendedPlan } from './combined-plan'
import { withGain } from './gain-in-text'
import { improvementsBeside } from './improvements'
import { liquidityOf } from './liquidity'
import { listingLines } from './listing'
import { type BindingInPrice, type Person, reportBody, type StoredAppraisal, type StoredReport } from './store'
import { trendOf } from './trend'

/** breakdown lines shown for a locked report */
const LOCKED_LINES = 2
/** a larger relative difference between model and appraiser needs a reason */
const GAP_NEEDS_REASON = 0.2

/** What reports show of the market of their game. */
type ReportMarket = Pick<MarketStatistics, 'weeks' | 'sellTime'>

/** A report row with columns of its order. */
export type ReportRow = Selectable<Reports> & {
  title: string
  mode: Report['mode']
  level?: ManualLevel | null
  schema_version: number
}

/** Another report of the same account. */
export type RelatedReport = Pick<ReportRow, 'report_no' | 'order_id' | 'mode' | 'created_at' | 'predict_fen'> & {
  price: Report['price']
  confidence: Report['confidence'] | null
  /** of the appraiser whose price it is, absent in a computed report */
  comment: string | null
  changed: Report['changed'] | null
}

/** A report row of its owner, with the account's other reports, newest first. */
export type OwnReportRow = ReportRow & { siblings: RelatedReport[] }

/** Permanently unlocked, also after expiry; a revoked report shows no more than a locked one. */
export const isReportUnlocked = ({ status }: Pick<ReportRow, 'status'>): boolean => status === 'UNLOCKED'

function statusAt({ status, valid_until }: ReportRow, now: number): Report['status'] {
  const live = status === 'LOCKED' || status === 'UNLOCKED'
  return live && valid_until <= now ? 'EXPIRED' : (status as Report['status'])
}

/** The masked public id that the user typed, for recognising the account. */
export function idMasked(config: FormConfig, answers: Answers): { idMasked?: string } {
  const field = config.fields.find((f) => f.role === 'lookup')
  const id = field && answers[field.key]
  return typeof id === 'string' && id !== '' ? { idMasked: maskGameId(id) } : {}
}

/** The lines with the largest absolute amounts, in the order of the breakdown. */
function topLines(lines: StoredReport['breakdown']): StoredReport['breakdown'] {
  const most = [...lines].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen)).slice(0, LOCKED_LINES)
  return lines.filter((line) => most.includes(line))
}

/** Fields of both kinds of report. */
function common(row: ReportRow, config: FormConfig, now: number) {
  return {
    reportNo: row.report_no,
    orderId: row.order_id,
    gameId: row.game_id,
    mode: row.mode,
    version: row.version,
    status: statusAt(row, now),
    title: row.title,
    account: idMasked(config, row.inputs.answers),
    aiGenerated: false,
    createdAt: row.created_at,
    validUntil: row.valid_until,
    mine: true,
    inputs: { schemaVersion: row.schema_version, answers: row.inputs.answers },
    listing: listingLines(config, row.inputs.answers),
  } satisfies Partial<Report>
}

/** Earlier prices of the account by the same kind of valuation, oldest first, each with its main cause. */
function historyOf(row: ReportRow, siblings: readonly RelatedReport[]): NonNullable<Report['history']> {
  const earlier = siblings.filter(({ mode, created_at }) => mode === row.mode && created_at < row.created_at)
  return earlier
    .sort((a, b) => a.created_at - b.created_at)
    .map(({ created_at: at, predict_fen: predictFen, changed }) => ({ at, predictFen, reason: mainReason(changed) }))
}

function mainReason(changed: Report['changed'] | null): string {
  if (!changed) return '首次估价'
  const [main] = [...changed.lines].sort((a, b) => Math.abs(b.amountFen) - Math.abs(a.amountFen))
  if (!main || main.amountFen === 0) return '价格没有变化'
  // the same label is used for gained and lost items
  return `主要因为${main.label}（${main.amountFen < 0 ? '−' : '+'}${estimate(Math.abs(main.amountFen))}）`
}

type Computed = Pick<RelatedReport, 'price'> & { confidence: Report['confidence'] | null }

/** Why appraiser and model differ: the comment of who set the price, and the model's low confidence. */
function gapReason(personFen: number, comment: string, { price, confidence }: Computed): { reason?: string } {
  if (Math.abs(personFen - price.predictFen) <= GAP_NEEDS_REASON * price.predictFen) return {}
  const unsure = confidence?.level === 'LOW' ? 'AI 估价的可信度低，误差较大。' : ''
  return { reason: `${unsure}估价师说明：${comment || '模型看不到的内容由估价师核对后计入'}` }
}

const numbersOf = ({ predictFen, lowFen, highFen }: Report['price']) => ({ predictFen, lowFen, highFen })

function otherOf(
  row: ReportRow,
  body: StoredReport | StoredAppraisal,
  siblings: readonly RelatedReport[],
): { other?: Report['other'] } {
  const newest = siblings
    .filter(({ mode }) => mode !== row.mode)
    .reduce<RelatedReport | undefined>(
      (best, one) => (best && best.created_at > one.created_at ? best : one),
      undefined,
    )
  const included = 'appraiser' in body ? body.computed : undefined
  const reasonFor = (computed: Computed) =>
    'appraiser' in body && gapReason(body.price.predictFen, body.decidedBecause ?? body.appraiser.comment, computed)
  if (!newest)
    return included
      ? { other: { mode: 'AI', ...numbersOf(included.price), at: row.created_at, ...reasonFor(included) } }
      : {}
  // the page shows the included report of the model beside the appraiser's
  const reason =
    'appraiser' in body ? reasonFor(included ?? newest) : gapReason(newest.predict_fen, newest.comment ?? '', body)
  const { order_id: orderId, created_at: at, mode } = newest
  return { other: { mode, orderId, ...numbersOf(newest.price), at, ...reason } }
}

/** The model's whole report beside the appraiser's. */
function includedAi(computed: StoredReport, people: readonly (Person | undefined)[]): Pick<Report, 'ai'> {
  const { price, confidence, percentile, breakdown, topItems, comparables, raise, model } = computed
  const shown = {
    comparables: bySimilarity(comparables),
    raise: improvementsBeside(raise, people),
  }
  return { ai: { price, confidence, percentile, breakdown, topItems, ...shown, model } }
}

const DEALER = /(?<!不(?:经过?|通过|走|找|用|给|靠|让|需要?|卖给?|是)|非|避(?:开|免被?)?|绕[过开]?|免)(?:号商|回收)/

/** Whether a channel buys the account itself, at once and at the quick price; not “不经号商”. */
export const isDealer = (channel: string): boolean => DEALER.test(channel)

type Advice = Person['work']['advice'][number]

/** What is left of the price after a channel's fee, of a dealer of the quick price; nothing where no fee is known. */
export function netOf(
  { channel, feeBp }: Pick<Advice, 'channel' | 'feeBp'>,
  { predictFen, quickFen }: Pick<Amounts, 'predictFen' | 'quickFen'>,
): number[] {
  const fen = isDealer(channel) ? quickFen : predictFen
  return feeBp === undefined ? [] : [fen - Math.round((fen * feeBp) / 10_000)]
}

/**
 * Replaces the placeholders in an appraiser's texts by the report's amounts, and adds the net amounts after fees.
 * @param bestFen the largest net amount of the report
 */
function withAmounts(one: Person, amounts: Amounts, bestFen: number): Person {
  const advice = one.work.advice.map(({ channel, how, feeBp }) => {
    const [netFen] = netOf({ channel, feeBp }, amounts)
    // of the amounts as shown, which readers subtract
    const lessFen = netFen === undefined ? 0 : shownFen(bestFen) - shownFen(netFen)
    return {
      ...{ channel, how: fillAmounts(how, amounts) },
      ...(netFen !== undefined && { feeBp, netFen, ...(lessFen > 0 && { lessFen }) }),
      ...(netFen !== undefined && isDealer(channel) && { soldFen: amounts.quickFen }),
    }
  })
  return { ...one, work: { ...one.work, advice } }
}

/**
 * The judgement of binding by one of the appraisers, with its totals; the gains are those of the report's price. All amounts
 * are in whole yuan as shown, so that the shown parts add up to the shown totals.
 */
function bindingOf(
  people: readonly (Person | undefined)[],
  inPrice: readonly BindingInPrice[],
): Pick<Report, 'binding'> {
  const by = people.find((one) => one?.work.binding)
  const items = (by?.work.binding ?? []).map((one) => {
    const costFen = shownFen(one.costFen)
    const inPriceFen = inPrice.find(({ item }) => item === one.item)?.gainFen
    if (one.gainFen === undefined) return { ...one, costFen }
    const gainFen = shownFen(inPriceFen ?? one.gainFen)
    const removal = one.removal && inPriceFen !== undefined && withGain(one.removal, one.gainFen, gainFen)
    return { ...one, costFen, gainFen, ...(removal && { removal }) }
  })
  if (!by || items.length === 0) return {}
  const total = (fen: (one: (typeof items)[number]) => number) => items.reduce((sum, one) => sum + fen(one), 0)
  // amounts are shown less exactly the higher they are, so the sum of shown ones is rounded again
  const costFen = shownFen(total((one) => one.costFen))
  const deductedFen = inPrice.reduce((sum, one) => sum + one.deductedFen, 0)
  return {
    binding: {
      ...{ by: by.name, items, costFen, gainFen: shownFen(total(({ gainFen = 0 }) => gainFen)) },
      openFen: costFen - shownFen(Math.min(costFen, deductedFen)),
    },
  }
}

/** What a report's view depends on beside its row. */
interface ReportContext {
  config: FormConfig
  /** the account's other reports */
  siblings: readonly RelatedReport[]
  market: ReportMarket | undefined
  /** ms */
  now: number
}

/** The price over the last year and the time to sell, from the current market. */
function marketView(
  market: ReportMarket | undefined,
  price: Report['price'],
  valuedAt: number,
): Pick<Report, 'trend' | 'liquidity'> {
  const trend = market && trendOf(market.weeks, price, valuedAt)
  const liquidity = market?.sellTime && liquidityOf(market.sellTime, price)
  return { ...(trend && { trend }), ...(liquidity && { liquidity }) }
}

/** A manual report for its owner: paid in advance, so nothing is locked. */
function appraisedView(
  row: ReportRow,
  body: StoredAppraisal,
  { config, siblings, market, now }: ReportContext,
): Report {
  const {
    price,
    appraiser,
    second,
    third,
    joint,
    bindingInPrice = [],
    earlier,
    risk,
    pictures,
    reconciliation,
    percentile,
    revised,
    computed,
  } = body
  const history = historyOf(row, siblings)
  const people = [appraiser, second, third, ...(earlier ?? [])]
  const amounts = { ...price, floorFen: joint?.floorFen ?? appraiser.work.floorFen }
  const ways = [appraiser, second, third].flatMap((one) => one?.work.advice ?? [])
  const bestFen = Math.max(...ways.flatMap((way) => netOf(way, amounts)))
  const person = (one: Person) => withAmounts(one, amounts, bestFen)
  const { binding } = bindingOf(people, bindingInPrice)
  const mended = joint && binding && mendedPlan(joint, price.predictFen, binding.gainFen)
  return {
    ...common(row, config, now),
    price,
    breakdown: [],
    counts: { breakdown: 0, topItems: 0, comparables: 0, history: history.length, raise: 0 },
    history,
    ...otherOf(row, body, siblings),
    ...marketView(market, price, row.created_at),
    // the answers show no risk, but the appraiser's texts may name one
    ...(risk.facts.length > 0 && { risk }),
    pictures,
    ...(reconciliation && { reconciliation }),
    ...(percentile !== undefined && { percentile }),
    ...(row.level && { level: row.level }),
    appraiser: person(appraiser),
    ...(second && { second: person(second) }),
    ...(third && { third: person(third) }),
    ...(joint && { joint: { ...joint, ...(mended && { mended }) } }),
    ...(binding && { binding }),
    ...(earlier && { earlier: earlier.map(person) }),
    ...(revised && { revised }),
    ...(computed && includedAi(computed, people)),
  }
}

/** The engine sorts by distance alone; the similarity shown also takes the price into account. */
const bySimilarity = (comparables: StoredReport['comparables']) =>
  [...comparables].sort((a, b) => b.similarity - a.similarity)

/** A computed report for its owner. Locked parts are absent, not just hidden. */
function computedView(row: ReportRow, body: StoredReport, { config, siblings, market, now }: ReportContext): Report {
  const unlocked = isReportUnlocked(row)
  const history = historyOf(row, siblings)
  return {
    ...common(row, config, now),
    price: body.price,
    confidence: body.confidence,
    breakdown: unlocked ? body.breakdown : topLines(body.breakdown),
    counts: {
      breakdown: body.breakdown.length,
      topItems: body.topItems.length,
      comparables: body.comparables.length,
      history: history.length,
      raise: body.raise.length,
    },
    ...(unlocked && {
      ...otherOf(row, body, siblings),
      ...marketView(market, body.price, row.created_at),
      risk: body.risk,
      percentile: body.percentile,
      topItems: body.topItems,
      comparables: bySimilarity(body.comparables),
      ...(body.gap && { gap: body.gap }),
      history,
      ...(body.changed && { changed: body.changed }),
      raise: body.raise,
    }),
    // also while locked: it says whether generated sales are behind the price
    model: body.model,
  }
}

/**
 * A report as its owner may see it now. @param siblings the account's other reports; none for visitors
 * @throws AppError SERVICE_UNAVAILABLE for one of another format
 */
export async function reportView(
  { games, publicStatistics, clock }: Pick<Deps, 'games' | 'publicStatistics' | 'clock'>,
  row: ReportRow,
  siblings: readonly RelatedReport[] = [],
): Promise<Report> {
  const [{ config }, market] = await Promise.all([games.find(row.game_id), publicStatistics.market(row.game_id)])
  const [body, context] = [reportBody(row), { config, siblings, market, now: clock.now() }]
  return 'appraiser' in body ? appraisedView(row, body, context) : computedView(row, body, context)
}

/** Advice on selling is for the owner only. */
function withoutAdvice(one: NonNullable<Report['appraiser']>): NonNullable<Report['appraiser']> {
  const { plan: _, floorFen: __, binding: ___, ...work } = one.work
  return { ...one, work: { ...work, advice: [] } }
}

function publicPeople({
  appraiser,
  second,
  third,
  earlier,
}: Report): Pick<Report, 'appraiser' | 'second' | 'third' | 'earlier'> {
  return {
    ...(appraiser && { appraiser: withoutAdvice(appraiser) }),
    ...(second && { second: withoutAdvice(second) }),
    ...(third && { third: withoutAdvice(third) }),
    ...(earlier && { earlier: earlier.map(withoutAdvice) }),
  }
}

/**
 * A report as a visitor may see it: price and reasons, without locked parts, the owner's data (answers, order, advice,
 * other reports of the account) and the owner's actions.
 */
export function redactForVisitor(report: Report): Report {
  const { inputs: _, shareToken: __, raise: ___, history: ____, changed: _____, other: ______, ...rest } = report
  const { revised: _______, joint: ________, binding: _________, listing: __________, reconciliation, ...shown } = rest
  const { counts, topItems = [], comparables = [] } = report
  return {
    ...shown,
    ...publicPeople(report),
    ...(reconciliation && { reconciliation: withoutBinding(reconciliation) }),
    ...(report.ai && { ai: { ...report.ai, raise: [] } }),
    orderId: '',
    mine: false,
    counts: {
      // also for a locked report: otherwise the visible lines would seem to add up to the price
      breakdown: counts.breakdown,
      topItems: topItems.length,
      comparables: comparables.length,
      history: 0,
      raise: 0,
    },
  }
}
