import { ACCOUNT_PRICE } from '@/contract/constants'
import { DAY_MS } from '@/contract/time'
import type { Req } from '@/contract/types'
import { invalid } from '../../core/app-error'
import { TYPO_RATIO } from '../orders/sold-price'

type SaleAnswer = Pick<Req<'sale', 'report'>, 'outcome' | 'listFen' | 'listedAt' | 'soldFen' | 'soldAt'>

/** a listing older than this before the report says nothing about today's market */
const OLDEST_LISTING = 365 * DAY_MS

interface Reported {
  /** price of the newest report */
  predictFen: number
  /** when the valuation was requested, ms */
  createdAt: number
}

function priceIssue(name: string, fen: number, predictFen: number): string | undefined {
  if (fen < ACCOUNT_PRICE.min || fen > ACCOUNT_PRICE.max) return `${name}为 1 元至 1000 万元`
  if (fen > predictFen * TYPO_RATIO || fen * TYPO_RATIO < predictFen)
    return `${name}与报告价格相差超过 ${TYPO_RATIO} 倍，请核对是否多填或少填了 0`
  return undefined
}

/** @throws AppError VALIDATION_FAILED with every issue of the answer */
export function assertPlausibleSale(
  { outcome, listFen, listedAt, soldFen, soldAt }: SaleAnswer,
  { predictFen, createdAt }: Reported,
  now: number,
): void {
  const isSold = outcome === 'SOLD'
  const isListed = outcome === 'LISTED'
  const issues: [path: string, msg: string | undefined | false][] = [
    ['soldFen', isSold && soldFen === undefined && '请填写成交价'],
    ['soldFen', soldFen !== undefined && priceIssue('成交价', soldFen, predictFen)],
    ['soldFen', !isSold && soldFen !== undefined && '只有已卖出时才填成交价'],
    ['soldAt', isSold && soldAt === undefined && '请选择成交日期'],
    ['soldAt', soldAt !== undefined && soldAt > now && '成交日期不能晚于今天'],
    ['soldAt', soldAt !== undefined && soldAt + DAY_MS <= createdAt && '成交日期不能早于估价'],
    ['listFen', isListed && listFen === undefined && '请填写挂牌价'],
    ['listFen', listFen !== undefined && priceIssue('挂牌价', listFen, predictFen)],
    ['listedAt', isListed && listedAt === undefined && '请选择挂牌日期'],
    ['listedAt', listedAt !== undefined && listedAt > (soldAt ?? now) && '挂牌日期不能晚于成交或今天'],
    ['listedAt', listedAt !== undefined && listedAt < createdAt - OLDEST_LISTING && '挂牌日期太早，请核对'],
  ]
  const found = issues.flatMap(([path, msg]) => (msg ? [{ path, msg }] : []))
  if (found.length > 0) throw invalid(found)
}
