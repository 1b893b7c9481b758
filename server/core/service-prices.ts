import type { ManualLevel } from '@/contract/labels'
import { type Env, integer } from './env'

/** fen: a price above it is a typing error */
const MAX_FEN = 1_000_000

/** Prices of the services, in fen. */
export interface ServicePrices {
  /** the whole report of an AI valuation */
  aiReportFen: number
  /** a manual valuation by service level */
  manualFen: Record<ManualLevel, number>
}

/** Prices as the operator set them, or the product's own. @throws StartError */
export const parseServicePrices = (env: Env): ServicePrices => ({
  aiReportFen: integer(env, 'AI_REPORT_FEN', 390, 0, MAX_FEN),
  manualFen: {
    STD: integer(env, 'MANUAL_STD_FEN', 1990, 0, MAX_FEN),
    PRO: integer(env, 'MANUAL_PRO_FEN', 4990, 0, MAX_FEN),
  },
})
