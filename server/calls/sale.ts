import { followUp, reportSale } from '../domains/followups/sale-follow-up'
import type { Handlers } from './handlers'

export const saleHandlers: Handlers<'sale'> = { followUp, report: reportSale }
