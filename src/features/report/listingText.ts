import { estimate, gameOfTitle } from '@/contract/format'
import type { Report } from '@/contract/types'

/** number of the account's assets in a listing; more would not fit a marketplace's title and first lines */
const MAX_ASSETS = 8

/**
 * Listing text for a marketplace, made from the report: the account's assets, most valuable first, the asking price and
 * the address where the valuation can be verified. Without the account's id, the owner's name for it and any contact.
 */
export function listingText({ title, breakdown, ai, price, risk, reportNo, verifyUrl }: Report): string {
  // an appraiser's report has the lines of the included one
  const assets = (ai?.breakdown ?? breakdown)
    .filter(({ type, amountFen }) => amountFen > 0 && (type === 'ASSET' || type === 'PROGRESS' || type === 'RESOURCE'))
    .sort((a, b) => b.amountFen - a.amountFen)
    .slice(0, MAX_ASSETS)
    .map(({ label }) => label)
  const [, ...place] = title.split(' · ')
  return [
    `【${gameOfTitle(title)}】${[...place, ...assets.slice(0, 3)].join(' ')}`,
    assets.length > 0 && `账号亮点：${assets.join('、')}`,
    risk && risk.facts.length > 0 && `如实说明：${risk.facts.join('；')}`,
    `售价：${estimate(price.listFen ?? price.predictFen)}，可议`,
    `估价报告：${reportNo}${verifyUrl ? `，验真 ${verifyUrl}` : ''}`,
    '请通过有担保的平台交易，先验号后付款。',
  ]
    .filter(Boolean)
    .join('\n')
}
