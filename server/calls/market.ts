import { marketOfGame } from '../domains/market/statistics'
import { sellTimes } from '../domains/reports/sell-times'
import type { Handlers } from './handlers'

export const marketHandlers: Handlers<'market'> = { game: marketOfGame, sellTimes }
