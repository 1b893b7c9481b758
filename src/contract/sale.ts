/** What may be shown where nothing is for sale (`open-pay-status`, product 4.1): the same in the app and in the server's first paint. */
import type { Banner, OpenPayStatus } from './types'

/** Whether anything may be bought where the app runs (product 4.1); until the server has said so nothing is. */
export const isForSale = (status: OpenPayStatus | undefined): boolean => status !== undefined && status.pay !== 'OFF'

/** What the staff has put up, without what is about coupons where nothing is for sale. */
export const visibleBanners = (all: readonly Banner[], status: OpenPayStatus | undefined): Banner[] =>
  all.filter(({ link, title = '' }) => isForSale(status) || !(/coupon/i.test(link) || title.includes('券')))
