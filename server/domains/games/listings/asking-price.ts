/** Reads the asking price of a listing. Ambiguous prices are skipped: a wrong one is worse than none. */
import { ACCOUNT_PRICE } from '@/contract/constants'
import { foldCase } from './lexicon'
import { numeralAt } from './numeral'

/** punctuation and symbols between a label and the amount, but no sign of a currency */
const BETWEEN = String.raw`[\s:!=\p{So}\p{Sk}\p{Sm}\p{Ps}\p{Pe}]`
/** 价格：¥3,200, 一口价3.2k, 售价 1.2万, 标价为3200元 */
const LABELLED = new RegExp(
  String.raw`(?:(?:一口|挂牌|出售|打包|诚心|标|售|卖|要|报|现|特)价格?|价格|价钱)(?:${BETWEEN}|[是为约仅只]){0,6}(?:¥|rmb)?\s?(?=\d)`,
  'gu',
)
const SIGNED = /¥\s?(?=\d)/gu
/** another price than the one asked for, or money spent: 原价, 入手价格, 充值了 ¥5000 */
const OTHER_PRICE = new RegExp(
  `(?:原|均|成交|市场?|底|估|收购?|官方?|最低|参考|入手?|进|拿|到手|指导|同行|充值?|氪金?|花|成本|赔|返)(?:价格?|了)?${BETWEEN}{0,4}$`,
  'u',
)
/** a range (3000-3500), a share (80%), another currency, a count, the rest of a number (1 200元) */
const NO_PRICE_AFTER =
  /^(?:[\d%.点级个款折星]|[\s,。'’·_]\d{1,3}(?=\s?[元块]|[\s,。!;]|$)|\s?[-~—至到]\s?\d|\s?(?:美|usd|欧|港|hk|台币|日元|円|韩元))/
/** a unit behind a space: 3.2 k */
const SPACED_UNIT = /^\s(?:[万w]|[千k])(?![a-z\d])/

function pricesOf(pattern: RegExp, text: string): Set<number> {
  const found = new Set<number>()
  for (const { 0: label, index } of text.matchAll(pattern)) {
    if (OTHER_PRICE.test(text.slice(Math.max(0, index - 12), index))) continue
    const { value, end = 0 } = numeralAt(text, index + label.length) ?? {}
    const unit = value?.times === 1 ? (SPACED_UNIT.exec(text.slice(end, end + 3))?.[0] ?? '') : ''
    const after = end + unit.length
    if (!value || NO_PRICE_AFTER.test(text.slice(after, after + 6))) continue
    found.add(Math.round(100 * value.n * (unit === '' ? 1 : /[万w]/.test(unit) ? 10_000 : 1_000)))
  }
  return found
}

/**
 * The price a listing asks for, in fen; undefined when it names none, several, or one that no account has.
 * @param text of the listing, without links
 */
export function askingPriceOf(text: string): number | undefined {
  const folded = foldCase(text)
  const labelled = pricesOf(LABELLED, folded)
  const found = labelled.size > 0 ? labelled : pricesOf(SIGNED, folded)
  const [fen = 0] = found
  return found.size === 1 && fen >= ACCOUNT_PRICE.min && fen <= ACCOUNT_PRICE.max ? fen : undefined
}
