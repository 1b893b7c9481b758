import { yuanInput } from '@/contract/format'
import { DAY_MS } from '@/contract/time'
import type { Req, SaleFollowUp } from '@/contract/types'
import { copy } from './copy'
import { fenOf } from './model'

type Outcome = NonNullable<SaleFollowUp['answer']>['outcome']

export interface SaleDraft {
  outcome: Outcome | undefined
  platform: string
  /** yuan as typed */
  list: string
  /** days since it was listed, as typed */
  listedDays: string
  /** yuan as typed */
  sold: string
  /** days since it was sold, as typed */
  soldDays: string
  images: string[]
  consent: boolean
}

const daysOf = (at: number | undefined, now: number): string =>
  at === undefined ? '' : String(Math.max(0, Math.round((now - at) / DAY_MS)))

/** A draft that contains the earlier answer, so that only changes need to be typed. @param now ms */
export function draftOf(answer: SaleFollowUp['answer'], now: number): SaleDraft {
  return {
    outcome: answer?.outcome,
    platform: answer?.platform ?? '',
    ...{ list: yuanInput(answer?.listFen), listedDays: daysOf(answer?.listedAt, now) },
    ...{ sold: yuanInput(answer?.soldFen), soldDays: daysOf(answer?.soldAt, now) },
    images: [...(answer?.images ?? [])],
    consent: false,
  }
}

const MAX_DAYS = 365
/** Whole days, 0 for today; undefined for anything else. */
function typedDays(text: string): number | undefined {
  const days = /^\d{1,3}$/.test(text) ? Number(text) : undefined
  return days !== undefined && days <= MAX_DAYS ? days : undefined
}

export type SaleIssues = Partial<Record<'outcome' | 'list' | 'listedDays' | 'sold' | 'soldDays' | 'consent', string>>

/** Messages by field; empty when the answer can be sent. */
export function saleIssues({ outcome, list, listedDays, sold, soldDays, consent }: SaleDraft): SaleIssues {
  const isListed = outcome === 'LISTED'
  const isSold = outcome === 'SOLD'
  const price = (text: string, required: boolean) =>
    (text !== '' || required) && (fenOf(text) ?? 0) < 100 ? copy.sale.priceWrong : undefined
  const days = (text: string, required: boolean) =>
    (text !== '' || required) && typedDays(text) === undefined ? copy.sale.daysWrong : undefined
  const issues: SaleIssues = {
    ...(!outcome && { outcome: copy.sale.needOutcome }),
    ...(isSold && { sold: price(sold, true), soldDays: days(soldDays, true) }),
    ...((isSold || isListed) && { list: price(list, isListed), listedDays: days(listedDays, isListed) }),
    ...(!consent && { consent: copy.sale.needConsent }),
  }
  return Object.fromEntries(Object.entries(issues).filter(([, issue]) => issue !== undefined))
}

/** Request with only what belongs to the outcome. @param now ms, of the server */
export function toSale(orderId: string, draft: SaleDraft, now: number): Req<'sale', 'report'> {
  const { outcome = 'KEPT', platform, list, listedDays, sold, soldDays, images } = draft
  const [listFen, listed] = [fenOf(list), typedDays(listedDays)]
  const [soldFen, soldFor] = [fenOf(sold), typedDays(soldDays)]
  const daysAgo = (days: number) => now - days * DAY_MS
  const wasListed = outcome !== 'KEPT'
  return {
    ...{ orderId, outcome, consent: true },
    ...(wasListed && platform.trim() !== '' && { platform: platform.trim() }),
    ...(wasListed && listFen !== undefined && { listFen }),
    ...(wasListed && listed !== undefined && { listedAt: daysAgo(listed) }),
    ...(outcome === 'SOLD' && soldFen !== undefined && { soldFen }),
    ...(outcome === 'SOLD' && soldFor !== undefined && { soldAt: daysAgo(soldFor) }),
    ...(wasListed && images.length > 0 && { images }),
  }
}
