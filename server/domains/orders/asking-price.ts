import { ACCOUNT_PRICE } from '@/contract/constants'
import { invalid } from '../../core/app-error'

/** @throws AppError VALIDATION_FAILED */
export function requireAskingPrice(askFen: number): void {
  if (askFen < ACCOUNT_PRICE.min || askFen > ACCOUNT_PRICE.max)
    throw invalid([{ path: 'listing.askFen', msg: '挂牌价为 1 元至 1000 万元' }])
}
