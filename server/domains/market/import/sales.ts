/**
 * Imports sales: validates rows by their game's form, stores valid ones in batches, reports invalid ones by line. The
 * partner feed validates its rows by the same `checkSale`.
 */
import { cleanText } from '@/contract/cleanText'
import { cleanAnswers } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { validateField } from '@/contract/form/validate'
import { percent } from '@/contract/format'
import { isJsonbSafe } from '../../../db/jsonb-text'
import { FOLLOW_UP_SOURCE, type HeldSale, LISTING_SOURCE, type SaleRow, SYNTHETIC } from '../../../db/sales'
import { isFactor, isPriced } from '../../../engine/encode'
import { accountFingerprint } from '../fingerprint'
import type { RawRow } from './rows'

export interface ImportSummary {
  read: number
  /** newly inserted */
  added: number
  /** waiting for a decision at the desk */
  held: number
  /** stored or held already, by `source + externalId` */
  known: number
  /** those with a key that is stored or held with other content, which stays */
  different: number
  refused: number
  /** new sales by game */
  games: Map<string, number>
}

export interface ImportDeps {
  /** undefined: no such game */
  configOf(gameId: string): Promise<FormConfig | undefined>
  /** Compares a valid row with its market (`importScreen`); why it is refused. */
  screen?(sale: SaleRow, config: FormConfig): Promise<SaleRow | HeldSale | string>
  /** Stores or holds a batch (`storeImported`); returns how many were new, and the fields in which others differ, by place. */
  store(
    batch: readonly (SaleRow | HeldSale)[],
  ): Promise<Pick<ImportSummary, 'added' | 'held'> & { differences: ReadonlyMap<number, string> }>
  /** Reports a row that was not stored. */
  refuse(line: number, reason: string): void
  progress(soFar: ImportSummary): void
  /** ms */
  now: number
}

const BATCH = 500
const PROGRESS_EVERY = 10_000
/** ms of tolerated clock skew between the file's author and us */
const CLOCKS_DIFFER = 5 * 60_000
/** There was no such market earlier, so the value is in seconds instead of milliseconds. */
const EARLIEST = Date.UTC(2010, 0, 1)
/** 1,000 万元: a higher price has a wrong unit */
const HIGHEST_FEN = 1_000_000_000
const MAX_TEXT = 128
/** Sources named by the server itself; nobody else may write under them. */
const OWN_SOURCES = [SYNTHETIC, FOLLOW_UP_SOURCE, 'appraiser', LISTING_SOURCE]

/** The same for names that differ in case, width and combining marks only. */
export const canonicalName = (name: string): string =>
  cleanText(name).normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase()
/** Letters of other alphabets, among them those that look like Latin ones: a name with them could be taken for another. */
const FOREIGN = /[^\P{L}a-z\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
export const isConfusable = (name: string): boolean => FOREIGN.test(canonicalName(name))
/** With them two names that look the same would differ, or with U+FFFD, which replaces what could not be read, be equal. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFD]/u

/** share of held rows from which the file as a whole is doubtful, not single prices */
const MANY_HELD = 0.2

/** What the operator is told of a run, if much of it waits at the desk. */
export const heldWarning = ({ read, held }: Pick<ImportSummary, 'read' | 'held'>): string | undefined =>
  held > MANY_HELD * read
    ? `⚠ 读取的行有 ${percent(held / read)} 待核：请先核对文件的价格。改正后再导入，会替换待核和未采用的记录。`
    : undefined

interface Row {
  line: number
  sale: SaleRow | HeldSale
}

/** Imports all rows. Memory use does not grow with their number. */
export async function importSales(rows: AsyncIterable<RawRow>, deps: ImportDeps): Promise<ImportSummary> {
  const summary: ImportSummary = { read: 0, added: 0, held: 0, known: 0, different: 0, refused: 0, games: new Map() }
  let batch: Row[] = []
  const flush = async () => {
    for (const [gameId, part] of byGame(batch)) {
      const { added, held, differences } = await deps.store(part.map(({ sale }) => sale))
      summary.added += added
      summary.held += held
      summary.different += differences.size
      summary.known += part.length - added - held - differences.size
      for (const [i, fields] of differences)
        deps.refuse(part[i]?.line ?? 0, `已有同一 source 与 externalId 的记录，${fields} 不同：没有更改`)
      if (added > 0) summary.games.set(gameId, (summary.games.get(gameId) ?? 0) + added)
    }
    batch = []
  }
  for await (const row of rows) {
    summary.read++
    const checked = 'reason' in row ? row.reason : await checkAgainstMarket(await checkSale(row.value, deps), deps)
    if (typeof checked === 'string') {
      summary.refused++
      deps.refuse(row.line, checked)
    } else batch.push({ line: row.line, sale: checked })
    if (batch.length >= BATCH) await flush()
    if (summary.read % PROGRESS_EVERY === 0) deps.progress(summary)
  }
  await flush()
  return summary
}

async function checkAgainstMarket(checked: SaleRow | string, { configOf, screen }: ImportDeps) {
  const config = typeof checked === 'object' && screen ? await configOf(checked.gameId) : undefined
  return typeof checked === 'object' && config && screen ? screen(checked, config) : checked
}

function byGame(batch: readonly Row[]): Map<string, Row[]> {
  const parts = new Map<string, Row[]>()
  for (const row of batch) {
    const part = parts.get(row.sale.gameId)
    if (part) part.push(row)
    else parts.set(row.sale.gameId, [row])
  }
  return parts
}

/** The row as stored, or why it is invalid. */
export async function checkSale(
  value: Record<string, unknown>,
  { configOf, now }: Pick<ImportDeps, 'configOf' | 'now'>,
): Promise<SaleRow | string> {
  const { kind, priceFen, at, attributes, listedAt } = value
  const gameId = label(value.gameId)
  if (gameId === undefined) return `gameId 应为 1 到 ${MAX_TEXT} 个可见字符`
  const config = await configOf(gameId)
  if (!config) return `没有游戏“${gameId.slice(0, 40)}”`
  if (kind !== 'SOLD' && kind !== 'ASKING') return 'kind 应为 SOLD 或 ASKING'
  const quoted = Object.entries({ priceFen, at, listedAt }).find(([, given]) => isQuotedNumber(given))
  if (quoted) return `${quoted[0]} 应为数字：请去掉引号`
  if (!isWhole(priceFen, 1, HIGHEST_FEN)) return `priceFen 应为 1 到 ${HIGHEST_FEN} 的整数（分）`
  if (!isWhole(at, EARLIEST, now + CLOCKS_DIFFER)) return 'at 应为毫秒时间戳，且不在未来'
  if (config.launchedAt !== undefined && at < config.launchedAt) return `at 早于 ${config.name} 开服的日期`
  if (isGiven(listedAt) && !isWhole(listedAt, config.launchedAt ?? EARLIEST, at))
    return 'listedAt 应为毫秒时间戳，不晚于 at，不早于游戏开服'
  const source = label(value.source)
  const own = source === undefined ? undefined : OWN_SOURCES.find((name) => name === canonicalName(source))
  if (own !== undefined) return `source 不能是 ${own}：它由系统使用`
  if (typeof value.externalId === 'number' && !Number.isSafeInteger(value.externalId))
    return 'externalId 是小数，或大到无法准确表示的数字：请加上引号'
  const externalId = label(value.externalId)
  if (source === undefined) return `source 应为 1 到 ${MAX_TEXT} 个可见字符`
  if (isConfusable(source)) return 'source 只能用英文、中文、日文或韩文的字母'
  if (externalId === undefined) return `externalId 应为 1 到 ${MAX_TEXT} 个可见字符`
  const answers = pricedAttributes(config, attributes)
  if (typeof answers === 'string') return answers
  const fingerprint = accountFingerprint(config, answers)
  return {
    ...{ gameId, kind, priceFen, at, source, externalId, attributes: answers },
    ...(isGiven(listedAt) && { listedAt }),
    ...(fingerprint !== undefined && { fingerprint }),
  }
}

/** A column of a CSV may be empty, and a field of JSON null. */
const isGiven = <T>(value: T | undefined | null | ''): value is T =>
  value !== undefined && value !== null && value !== ''

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

/** Of a CSV, such text is a number by now. */
const isQuotedNumber = (value: unknown): boolean => typeof value === 'string' && /^\d{1,16}$/.test(value)

function label(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value
  if (typeof text !== 'string' || text.trim() === '' || text.length > MAX_TEXT) return undefined
  return UNPRINTABLE.test(text) ? undefined : text.trim()
}

/** The decimal places of a form limit what people type, not what a record holds. */
const unscaled = (field: Field): Field =>
  field.type === 'decimal' ? { ...field, rules: { ...field.rules, scale: Number.POSITIVE_INFINITY } } : field

/** Records of others may have an answer without the one that makes its field visible in our form. */
function unconditional({ visibleWhen, ...field }: Field, answers: Answers): Field {
  return visibleWhen && answers[visibleWhen.field] !== undefined ? { ...field, visibleWhen } : field
}

/**
 * The attributes that bear on the price, or why they are invalid. Validates those given, without requiring any: other
 * platforms' sales have fewer than our form. Ids, pictures and remarks are personal data without influence on the price
 * and are not stored.
 */
export function pricedAttributes(config: FormConfig, attributes: unknown): Answers | string {
  if (typeof attributes !== 'object' || attributes === null || Array.isArray(attributes))
    return 'attributes 应为 JSON 对象'
  const given = attributes as Answers
  const kept: Answers = {}
  for (const key of Object.keys(given)) {
    const field = config.fields.find((candidate) => candidate.key === key)
    if (!field) return `attributes 里的“${key.slice(0, 40)}”不在 ${config.name} 的表单中`
    const issue = given[key] === null ? undefined : validateField(config, unscaled(field), given[key], 'MANUAL')
    const empty = given[key] === null || given[key] === '' || (Array.isArray(given[key]) && given[key].length === 0)
    if (issue && !empty) return `attributes.${issue.path}：${issue.msg}`
    if (!['lookup', 'evidence', 'none'].includes(field.role) && !empty) kept[key] = given[key]
  }
  const answers = cleanAnswers({ ...config, fields: config.fields.map((field) => unconditional(field, kept)) }, kept)
  if (!isJsonbSafe(answers)) return 'attributes 含有无法存储的字符'
  const priced = config.fields.some((field) => (isPriced(field) || isFactor(field)) && answers[field.key] !== undefined)
  return priced ? answers : 'attributes 里没有影响价格的属性'
}
