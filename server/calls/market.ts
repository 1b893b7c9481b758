import { marketOfGame } from '../domains/market/statistics'
import type { Handlers } from './handlers'

export const marketHandlers: Handlers<'market'> = { game: marketOfGame }
