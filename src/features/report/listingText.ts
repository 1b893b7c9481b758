import { estimate, gameOfTitle } from '@/contract/format'
import type { Report } from '@/contract/types'

/** number of the account's assets in a listing, and of those in its title; more would not fit a marketplace's first lines */
const MAX_ASSETS = 8
const TITLE_ASSETS = 3

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
    `【${gameOfTitle(title)}】${[...place, ...assets.slice(0, TITLE_ASSETS)].join(' ')}`,
    assets.length > TITLE_ASSETS && `另有：${assets.slice(TITLE_ASSETS).join('、')}`,
    risk && risk.facts.length > 0 && `如实说明：${risk.facts.join('；')}`,
    `售价：${estimate(price.listFen ?? price.predictFen)}，可议`,
    // the address contains the number
    verifyUrl ? `估价报告（可验真）：${verifyUrl}` : `估价报告编号：${reportNo}`,
    '请通过有担保的平台交易，先验号后付款。',
  ]
    .filter(Boolean)
    .join('\n')
}
