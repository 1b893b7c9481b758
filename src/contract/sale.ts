/**
 * The texts and pages that remain where sales are disabled (`open-pay-status`); the same in the app and in the server's
 * first paint.
 */
import type { Banner, OpenPayStatus } from './types'

/** Whether anything is for sale where the app runs; false until the server's answer has arrived. */
export const isForSale = (status: OpenPayStatus | undefined): boolean => status !== undefined && status.pay !== 'OFF'

/** Banners of the staff, without those about coupons where nothing is for sale. */
export const visibleBanners = (all: readonly Banner[], status: OpenPayStatus | undefined): Banner[] =>
  all.filter(({ link, title = '' }) => isForSale(status) || !(/coupon/i.test(link) || title.includes('券')))
