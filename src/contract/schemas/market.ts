/** Calls of the group `market`: what happens to prices of a game. */
import { Type } from 'typebox'
import { Int, idOf, obj, opt, Str, Timestamp, UnitInterval } from './common'
import type { GroupSchemas } from './groupSchemas'

const Index = Type.Union([Type.Number(), Type.Null()])

const Week = obj({
  /** first day of the week */
  at: Timestamp,
  /** 100 in the first week with enough sales; null with too few */
  index: Index,
  /** 80 % interval */
  low: Index,
  high: Index,
  /** sales and listings */
  n: Int,
})

/** `change`: relative price change of accounts with the item, compared with all others. */
const Mover = obj({ label: Str, change: Type.Number(), n: Int })

export const MarketPage = obj({
  gameId: Str,
  gameName: Str,
  /** absent until computed for the first time */
  madeAt: opt(Timestamp),
  weeks: Type.Array(Week),
  rises: Type.Array(Mover),
  falls: Type.Array(Mover),
  /** sales, without listings, of the last 30 days */
  sold30: Int,
  /** share of generated sales, which must be disclosed */
  syntheticShare: UnitInterval,
})

export const market = {
  game: { req: obj({ gameId: idOf('游戏') }), res: MarketPage },
} satisfies GroupSchemas<'market'>
