/** Validates the rows of imports and feeds by their game's form. */
import { cleanText } from '@/contract/cleanText'
import { cleanAnswers } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { validateField } from '@/contract/form/validate'
import { isJsonbSafe } from '../../../db/jsonb-text'
import { APPRAISER_SOURCE, FOLLOW_UP_SOURCE, LISTING_SOURCE, type SaleRow, SYNTHETIC } from '../../../db/sales'
import { isFactor, isPriced } from '../../../engine/encode'

/** ms of tolerated clock skew between the file's author and us */
const CLOCKS_DIFFER = 5 * 60_000
/** There was no such market earlier, so the value is in seconds instead of milliseconds. */
const EARLIEST = Date.UTC(2010, 0, 1)
/** 1,000 万元: a higher price has a wrong unit */
const HIGHEST_FEN = 1_000_000_000
const MAX_TEXT = 128
/** Sources named by the server itself; nobody else may write under them. */
const OWN_SOURCES = [SYNTHETIC, FOLLOW_UP_SOURCE, APPRAISER_SOURCE, LISTING_SOURCE]

/** The name without case, width and combining marks, by which names are compared. */
export const canonicalName = (name: string): string =>
  cleanText(name).normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase()
/** Letters of other alphabets, among them those that look like Latin ones: a name with them could be taken for another. */
const FOREIGN = /[^\P{L}a-z\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u
export const isConfusable = (name: string): boolean => FOREIGN.test(canonicalName(name))
/** Whether a name would be taken for one of ours. */
export const isReservedName = (name: string): boolean =>
  isConfusable(name) || [...OWN_SOURCES, 'staff', 'import'].includes(canonicalName(name))
/** Invisible characters make names differ that look the same; U+FFFD, which replaces unreadable bytes, makes them equal. */
export const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\uFFFD]/u

/** The row as stored, or why it is invalid. */
export async function checkSale(
  value: Record<string, unknown>,
  configOf: (gameId: string) => Promise<FormConfig | undefined>,
  now: number,
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
  return {
    ...{ gameId, kind, priceFen, at, source, externalId, attributes: answers },
    ...(isGiven(listedAt) && { listedAt }),
  }
}

/** A column of a CSV may be empty, and a field of JSON null. */
const isGiven = <T>(value: T | undefined | null | ''): value is T =>
  value !== undefined && value !== null && value !== ''

function isWhole(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

/** A number in quotes, which only JSON can have: in a CSV such text has been converted already. */
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
