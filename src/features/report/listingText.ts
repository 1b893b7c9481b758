import { estimate } from '@/contract/format'
import type { Report } from '@/contract/types'

/**
 * Listing text for a marketplace: the account as its owner described it, the asking price and the address where the
 * valuation can be verified. Without the account's id, the owner's name for it and any contact.
 */
export const listingText = ({ listing = [], price, reportNo, verifyUrl }: Report): string =>
  [
    ...listing,
    `售价：${estimate(price.listFen)}，可议`,
    // the address contains the number
    verifyUrl ? `估价验真：${verifyUrl}` : `估价报告编号：${reportNo}`,
    '请通过有担保的平台交易，先验号后付款。',
  ].join('\n')
