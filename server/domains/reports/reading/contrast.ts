import { isEmpty, saysNone } from '@/contract/form/answers'
import type { Answer, Field, FormConfig } from '@/contract/form/types'
import { affectsPrice, labelOf } from '@/contract/form/validate'
import { estimate, estimateGap, estimateRange, percent } from '@/contract/format'
import { confidenceText, liquidityText, riskLevelText } from '@/contract/labels'
import { pastDayText } from '@/contract/timeText'
import type { Contrast, Req } from '@/contract/types'
import { AppError, invalid } from '../../../core/app-error'
import type { UserCtx } from '../../../core/context'
import type { SellTime } from '../../../db/columns'
import { isList, isPriced } from '../../../engine/encode'
import { reportBody, type StoredAppraisal, type StoredReport } from '../store'
import { liquidityOf } from './liquidity'
import { idMasked, isReportUnlocked, type ReportRow } from './view'

type RowOf = Contrast['rows'][number]
type Body = Pick<StoredAppraisal, 'price' | 'risk' | 'percentile'> & Partial<Pick<StoredReport, 'confidence'>>
interface Column {
  row: ReportRow & { name: string | null }
  body: Body
}

const LOCKED = '解锁后可见'
/** Items listed in one cell; longer lists are shown as a count. */
const LONG_LIST = 3

/** Index of the best column; undefined for a tie. */
function bestOf(worth: readonly (number | undefined)[]): number | undefined {
  const given = worth.filter((value) => value !== undefined)
  if (given.length < 2) return undefined
  const most = Math.max(...given)
  const winners = worth.flatMap((value, i) => (value === most ? [i] : []))
  return winners.length === 1 ? winners[0] : undefined
}

/** @param worth of each column: the one with the largest is marked as higher */
function tableRow(label: string, values: string[], worth?: (number | undefined)[]): RowOf {
  const best = worth && bestOf(worth)
  return { label, values, ...(best !== undefined && { best }) }
}

/** Rows of prices and other results; of a locked report only price, range and confidence are shown. */
function priceRows(columns: readonly Column[], { name }: FormConfig, sellTime: SellTime | undefined): RowOf[] {
  const bodies = columns.map(({ body }) => body)
  const unlocked = columns.map(({ row, body }) => (isReportUnlocked(row) ? body : undefined))
  const shown = (text: (body: Body) => string) => unlocked.map((body) => (body ? text(body) : LOCKED))
  const prices = bodies.map(({ price }) => price)
  const predict = prices.map(({ predictFen }) => predictFen)
  return [
    tableRow('参考成交价', predict.map(estimate), predict),
    tableRow(
      '价格区间',
      prices.map(({ lowFen, highFen }) => (lowFen < highFen ? estimateRange(lowFen, highFen) : '—')),
    ),
    tableRow(
      '可信度',
      bodies.map(({ confidence: c }) => (c ? `${confidenceText[c.level]} · ${c.score} 分` : '估价师判断')),
      bodies.map(({ confidence: c }) => c?.score),
    ),
    tableRow(
      '出手速度',
      shown(({ price }) => {
        const speed = sellTime && liquidityOf(sellTime, price)
        return speed ? `${liquidityText[speed.level]} · ${speed.days.join('–')} 天` : '—'
      }),
    ),
    tableRow(
      '风险',
      shown(({ risk }) => riskLevelText[risk.level]),
    ),
    tableRow(
      `超过的${name}账号`,
      shown(({ percentile }) => (percentile === undefined ? '—' : percent(percentile, 0))),
      unlocked.map((body) => body?.percentile),
    ),
  ]
}

/** Number or count of items, for an answer of a field with a value. */
const amountOf = (field: Field, answer: Answer | undefined): number | undefined => {
  if (typeof answer === 'number') return answer
  return Array.isArray(answer) && isList(field) ? answer.length : undefined
}

function words(config: FormConfig, field: Field, answer: Answer | undefined): string {
  if (isEmpty(answer) && !saysNone(field, answer)) return '未填'
  if (isList(field) && Array.isArray(answer) && answer.length > LONG_LIST) return `${answer.length} 个`
  return labelOf(config, field, answer)
}

/** Price-relevant answers that at least one of the accounts has. */
function answerRows(config: FormConfig, columns: readonly Column[]): RowOf[] {
  const answers = columns.map(({ row }) => row.inputs.answers)
  return config.fields
    .filter((field) => affectsPrice(field) || field.role === 'risk')
    .filter(({ key }) => answers.some((account) => !isEmpty(account[key])))
    .map((field) =>
      tableRow(
        field.label,
        answers.map((account) => words(config, field, account[field.key])),
        isPriced(field) ? answers.map((value) => amountOf(field, value[field.key])) : undefined,
      ),
    )
}

/** At most this many labels of a sentence are named. */
const NAMED = 3
const listOf = (labels: readonly string[]): string =>
  `${labels.slice(0, NAMED).join('、')}${labels.length > NAMED ? `等 ${labels.length} 项` : ''}`

/** Sentences: the most expensive account and what it has more of. The table says the rest. */
function summaryOf(columns: readonly Column[], answers: readonly RowOf[]): string {
  const names = columns.map(({ row: { name } }, i) => (name ? `“${name}”` : `账号${'一二三四'[i]}`))
  const fens = columns.map(({ body }) => body.price.predictFen)
  const [most, least] = [Math.max(...fens), Math.min(...fens)]
  const [dear, cheap] = [fens.indexOf(most), fens.indexOf(least)]
  if (estimate(most) === estimate(least)) return `${columns.length} 个账号的参考成交价相同，都是 ${estimate(most)}。`
  const than = columns.length > 2 ? `最高，为 ${estimate(most)}，比最低的` : ` ${estimate(most)}，比`
  const first = `${names[dear]}参考成交价${than}${names[cheap]}高 ${estimateGap(most, least)}。`
  const labels = (ofDear: boolean) =>
    answers.filter(({ best }) => best !== undefined && (best === dear) === ofDear).map(({ label }) => label)
  const [ahead, behind] = [labels(true), labels(false)]
  const other = columns.length === 2 ? names[cheap] : '其他账号'
  const but = behind.length > 0 ? `，${other}在${listOf(behind)}上更多` : ''
  if (ahead.length > 0) return `${first}${names[dear]}在${listOf(ahead)}上更多${but}。`
  const isMixed = new Set(columns.map(({ row }) => row.mode)).size > 1
  return `${first}${isMixed ? '有人工估价也有 AI 估价，差别包括估价师的判断。' : ''}`
}

/**
 * Compares two to four of the caller's reports of one game.
 * @throws AppError NOT_FOUND (also for another user's order), VALIDATION_FAILED
 */
export async function contrast(ctx: UserCtx, { orderIds }: Req<'evaluation', 'contrastAnalysis'>): Promise<Contrast> {
  const rows: Column['row'][] = await ctx.db
    .selectFrom('reports')
    .innerJoin('orders', 'orders.id', 'reports.order_id')
    .distinctOn('reports.order_id')
    .selectAll('reports')
    .leftJoin('account_names as named', (j) =>
      j.onRef('named.user_id', '=', 'reports.user_id').onRef('named.account_id', '=', 'reports.account_id'),
    )
    .select(['orders.title', 'orders.mode', 'orders.schema_version', 'named.name'])
    .where('reports.user_id', '=', ctx.userId)
    .where('reports.order_id', 'in', orderIds)
    .orderBy('reports.order_id')
    .orderBy('reports.version', 'desc')
    .execute()
  const columns = orderIds.flatMap((id) => {
    const row = rows.find(({ order_id }) => order_id === id)
    return row ? [{ row, body: reportBody(row) }] : []
  })
  const [first] = columns
  if (!first || columns.length < orderIds.length)
    throw new AppError('NOT_FOUND', { msg: '有报告不存在或还没有生成，请重新选择' })
  if (columns.some(({ row }) => row.game_id !== first.row.game_id))
    throw invalid([{ path: 'orderIds', msg: '只能对比同一个游戏的报告' }])
  const { config } = await ctx.repositories.games.find(first.row.game_id)
  const answers = answerRows(config, columns)
  const sellTime = (await ctx.repositories.publicStatistics.market(config.gameId))?.sellTime
  const date = tableRow(
    '估价日期',
    columns.map(({ row }) => pastDayText(row.created_at, ctx.clock.now())),
  )
  return {
    columns: columns.map(({ row, body: { price } }) => ({
      orderId: row.order_id,
      reportNo: row.report_no,
      title: row.title,
      ...idMasked(config, row.inputs.answers),
      ...(row.name !== null && { name: row.name }),
      createdAt: row.created_at,
      mode: row.mode,
      price: { predictFen: price.predictFen, lowFen: price.lowFen, highFen: price.highFen },
    })),
    rows: [
      ...priceRows(columns, config, sellTime).filter(({ values }) => values.some((v) => v !== '—' && v !== LOCKED)),
      date,
      ...answers,
    ],
    summary: summaryOf(columns, answers),
  }
}
