import type { Selectable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import { estimate } from '@/contract/format'
import type { ManualLevel } from '@/contract/labels'
import { maskGameId } from '@/contract/mask'
import { DAY_MS } from '@/contract/time'
import type { Report } from '@/contract/types'
import type { Deps } from '../../../core/context'
import type { MarketStatistics } from '../../../db/columns'
import type { Reports } from '../../../db/tables'
import { reportBody, type StoredAppraisal, type StoredReport } from '../store'
import { liquidityOf } from './liquidity'
import { listingLines } from './listing'
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
  /** comment of the appraiser whose price it is; null in a computed report */
  comment: string | null
  changed: Report['changed'] | null
}

/** What a computed report is made of beside its body. */
type ViewedRow = Pick<
  ReportRow,
  | 'report_no'
  | 'order_id'
  | 'game_id'
  | 'mode'
  | 'version'
  | 'status'
  | 'title'
  | 'created_at'
  | 'valid_until'
  | 'schema_version'
> & { inputs: Pick<ReportRow['inputs'], 'answers'> }

/** A report row of its owner, with the account's other reports, newest first. */
export type OwnReportRow = ReportRow & { siblings: RelatedReport[] }

/** Permanently unlocked, also after expiry; a revoked report shows no more than a locked one. */
export const isReportUnlocked = ({ status }: Pick<ReportRow, 'status'>): boolean => status === 'UNLOCKED'

function statusAt({ status, valid_until }: ViewedRow, now: number): Report['status'] {
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
function common(row: ViewedRow, config: FormConfig, now: number) {
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
function historyOf(row: ViewedRow, siblings: readonly RelatedReport[]): NonNullable<Report['history']> {
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
  return { reason: `${unsure}${comment || '模型看不到的内容由估价师核对后计入'}` }
}

/** The newest report of the other kind; a manual report that includes the model's needs none. */
function otherOf(
  { mode }: ViewedRow,
  body: StoredReport | StoredAppraisal,
  siblings: readonly RelatedReport[],
): { other?: Report['other'] } {
  const newest = siblings.find((sibling) => sibling.mode !== mode)
  if (!newest || ('appraiser' in body && body.computed)) return {}
  const reason =
    'appraiser' in body
      ? gapReason(body.price.predictFen, body.appraiser.comment, newest)
      : gapReason(newest.predict_fen, newest.comment ?? '', body)
  return {
    other: {
      mode: newest.mode,
      orderId: newest.order_id,
      predictFen: newest.predict_fen,
      at: newest.created_at,
      ...reason,
    },
  }
}

/** A price of the model with its confidence and comparables, as readers see them. */
export function valuationView({
  price,
  confidence,
  comparables,
}: Pick<StoredReport, 'price' | 'confidence' | 'comparables'>) {
  const { isOpen = false, ...fens } = price
  const { assumed, ...shown } = confidence
  return {
    price: { ...fens, assumed: assumed.map(({ key }) => key), openEnded: isOpen },
    confidence: shown,
    comparables,
  }
}

/** The model's whole report beside the appraiser's. */
function includedAi(computed: StoredReport): Pick<Report, 'ai'> {
  const { percentile, breakdown, raise, model } = computed
  return { ai: { ...valuationView(computed), percentile, breakdown, raise, model } }
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
  const { price, appraiser, others, risk, pictures, reconciliation, percentile, revised, computed } = body
  const history = historyOf(row, siblings)
  return {
    ...common(row, config, now),
    price,
    breakdown: [],
    counts: { breakdown: 0, comparables: 0, history: history.length, raise: 0 },
    history,
    ...otherOf(row, body, siblings),
    ...marketView(market, price, row.created_at),
    // the answers show no risk, but the appraiser's comment may name one
    ...(risk.facts.length > 0 && { risk }),
    pictures,
    ...(reconciliation && { reconciliation }),
    ...(percentile !== undefined && { percentile }),
    ...(row.level && { level: row.level }),
    appraiser,
    ...(others.length > 0 && { others: [...others] }),
    ...(revised && { revised }),
    ...(computed && includedAi(computed)),
  }
}

/** A computed report for its owner. Locked parts are absent, not just hidden; the trend and one comparable prove the price. */
function computedView(row: ViewedRow, body: StoredReport, { config, siblings, market, now }: ReportContext): Report {
  const unlocked = isReportUnlocked(row)
  const history = historyOf(row, siblings)
  const { price, confidence, comparables } = valuationView(body)
  const { trend, liquidity } = marketView(market, body.price, row.created_at)
  return {
    ...common(row, config, now),
    price,
    confidence,
    ...(trend && { trend }),
    comparables: unlocked ? comparables : comparables.slice(0, 1),
    breakdown: unlocked ? body.breakdown : topLines(body.breakdown),
    counts: {
      breakdown: body.breakdown.length,
      comparables: body.comparables.length,
      history: history.length,
      raise: body.raise.length,
    },
    ...(unlocked && {
      ...otherOf(row, body, siblings),
      ...(liquidity && { liquidity }),
      risk: body.risk,
      percentile: body.percentile,
      topItems: body.topItems,
      ...(body.gap && { gap: body.gap }),
      history,
      ...(body.changed && { changed: body.changed }),
      raise: body.raise,
    }),
    // a locked report has it too: it says whether generated sales are behind the price
    model: body.model,
  }
}

/** The whole report on the account of a past sale, whose answers nobody entered here. */
export function exampleView(
  { config, market, now }: Omit<ReportContext, 'siblings'> & { market: MarketStatistics & { madeAt: number } },
  reportNo: string,
): Report | undefined {
  if (!market.example) return undefined
  const { title, model, ...body } = market.example
  const row: ViewedRow = {
    ...{ report_no: reportNo, order_id: '', game_id: config.gameId, version: 1, title, inputs: { answers: {} } },
    ...{ created_at: market.madeAt, valid_until: now + DAY_MS, schema_version: config.schemaVersion },
    mode: 'AI',
    status: 'UNLOCKED',
  }
  const share = { synthetic: market.syntheticShare > 0, syntheticShare: market.syntheticShare }
  const report = { ...body, model: { ...model, ...share } }
  return redactForVisitor(computedView(row, report, { config, siblings: [], market, now }))
}

/**
 * A report as its owner may see it now. @param siblings the account's other reports; none for visitors
 * @throws AppError SERVICE_UNAVAILABLE for one of another format
 */
export async function reportView(
  { repositories: { games, publicStatistics }, clock }: Deps,
  row: ReportRow,
  siblings: readonly RelatedReport[] = [],
): Promise<Report> {
  const [{ config }, market] = await Promise.all([games.find(row.game_id), publicStatistics.market(row.game_id)])
  const [body, context] = [reportBody(row), { config, siblings, market, now: clock.now() }]
  return 'appraiser' in body ? appraisedView(row, body, context) : computedView(row, body, context)
}

/** What an appraiser writes is for the owner. */
const withoutComment = (appraiser: NonNullable<Report['appraiser']>) => ({ ...appraiser, comment: '' })

/**
 * A report as a visitor may see it: price and reasons, without locked parts, the owner's data (answers, order, other
 * reports of the account, the appraisers' comments) and the owner's actions.
 */
export function redactForVisitor(report: Report): Report {
  const { inputs: _, shareToken: __, raise: ___, history: ____, changed: _____, other: ______, ...rest } = report
  const { revised: _______, listing: ________, ...shown } = rest
  const { counts, comparables = [], appraiser, others } = report
  return {
    ...shown,
    ...(appraiser && { appraiser: withoutComment(appraiser) }),
    ...(others && { others: others.map(withoutComment) }),
    ...(report.ai && { ai: { ...report.ai, raise: [] } }),
    orderId: '',
    mine: false,
    counts: {
      // a locked report has it too: otherwise the visible lines would seem to add up to the price
      breakdown: counts.breakdown,
      comparables: comparables.length,
      history: 0,
      raise: 0,
    },
  }
}
