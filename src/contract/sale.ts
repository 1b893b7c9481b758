/**
 * The texts and pages that remain where sales are disabled (`open-pay-status`); the same in the app and in the server's
 * first paint.
 */
import type { Banner, Message, OpenPayStatus } from './types'

/** Whether anything is for sale where the app runs; false until the server's answer has arrived. */
export const isForSale = (status: OpenPayStatus | undefined): boolean => status !== undefined && status.pay !== 'OFF'

/** Banners of the staff, without those about coupons where nothing is for sale. */
export const visibleBanners = (all: readonly Banner[], status: OpenPayStatus | undefined): Banner[] =>
  all.filter(({ link, title = '' }) => isForSale(status) || !(/coupon/i.test(link) || title.includes('券')))

/** In a sentence about a payment: "“X”的 ¥19.90 已原路退回" → "“X”的款项已原路退回". */
const withoutAmounts = (text: string) => text.replace(/的 ?¥[\d,.]+ ?/g, '的款项').replace(/ ?¥[\d,.]+ ?/g, '')

/**
 * Messages as they are shown: where nothing is for sale those about coupons are left out and the others name no amounts that
 * were paid. What accounts are worth is not for sale: reports and their alerts keep their prices.
 */
export const visibleMessages = (all: readonly Message[], forSale: boolean): Message[] =>
  forSale
    ? [...all]
    : all
        .filter(({ bizType, type }) => bizType !== 'COUPON' && type !== 'COUPON_EXPIRING')
        .map((m) =>
          m.bizType === 'REPORT' || m.bizType === 'PRICE'
            ? m
            : { ...m, summary: withoutAmounts(m.summary), body: withoutAmounts(m.body) },
        )
