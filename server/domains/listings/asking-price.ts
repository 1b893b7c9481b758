/** Reads the asking price of a listing. Ambiguous prices are skipped: a wrong one is worse than none. */
import { ACCOUNT_PRICE } from '@/contract/constants'

const AMOUNT = String.raw`(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d{1,9}(?:\.\d{1,4})?)\s?(万|千|[wk](?![a-z]))?`
/** 价格：¥3,200, 一口价3.2k, 售价 1.2万, 标价为3200元 */
const LABELLED = new RegExp(
  String.raw`(?:(?:一口|挂牌|出售|打包|诚心|标|售|卖|要|报|现|特)价格?|价格|价钱)[\s:：=是为约仅只]{0,4}(?:[¥￥]|rmb)?\s?${AMOUNT}`,
  'g',
)
const SIGNED = new RegExp(String.raw`[¥￥]\s?${AMOUNT}`, 'g')
/** another price than the one asked for, or money spent: 原价, 入手价格, 充值了 ¥5000 */
const OTHER_PRICE =
  /(?:原|均|成交|市场?|底|估|收购?|官方?|最低|参考|入手?|进|拿|到手|指导|同行|充值?|氪金?|花|成本|赔|返)(?:价格?|了)?[\s:：]{0,2}$/
/** a range (3000-3500), a share (80%), another currency, a count */
const NO_PRICE_AFTER = /^(?:[\d%.点级个款折星]|\s?[-~—至到]\s?\d|\s?(?:美|usd|欧|港|hk|台币|日元|円|韩元))/
const TIMES: Readonly<Record<string, number>> = { 万: 10_000, w: 10_000, 千: 1_000, k: 1_000 }

function pricesOf(pattern: RegExp, text: string): Set<number> {
  const found = new Set<number>()
  for (const { 0: whole, 1: digits = '', 2: unit = '', index } of text.matchAll(pattern)) {
    if (OTHER_PRICE.test(text.slice(Math.max(0, index - 8), index))) continue
    if (NO_PRICE_AFTER.test(text.slice(index + whole.length, index + whole.length + 4))) continue
    found.add(Math.round(100 * Number(digits.replaceAll(',', '')) * (TIMES[unit] ?? 1)))
  }
  return found
}

/**
 * The price a listing asks for, in fen; undefined when it names none, several, or one that no account has.
 * @param text of the listing, without links
 */
export function askingPriceOf(text: string): number | undefined {
  const folded = text.normalize('NFKC').toLowerCase()
  const labelled = pricesOf(LABELLED, folded)
  const found = labelled.size > 0 ? labelled : pricesOf(SIGNED, folded)
  const [fen = 0] = found
  return found.size === 1 && fen >= ACCOUNT_PRICE.min && fen <= ACCOUNT_PRICE.max ? fen : undefined
}
