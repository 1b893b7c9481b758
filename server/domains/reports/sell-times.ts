import type { Req, Res } from '@/contract/types'
import { reportNotFound } from '../../core/app-error'
import type { UserCtx } from '../../core/context'
import { MIN_SOLD_SPELLS } from '../market/statistics'
import { medianDays } from '../market/survival'
import { selectOwnReport } from './own-report'
import { reportBody } from './store'
import { isReportUnlocked } from './view'

/** number of prices, from quick sale to suggested listing, for which a time is given */
const POINTS = 9

/**
 * How long the account of a report takes to sell at different prices; no points while it is locked, or where too
 * few sales of the game recorded their time to sell.
 * @throws AppError NOT_FOUND
 */
export async function sellTimes(
  { db, publicStatistics, userId }: UserCtx,
  { orderId }: Req<'market', 'sellTimes'>,
): Promise<Res<'market', 'sellTimes'>> {
  const report = await selectOwnReport(db, userId, orderId)
    .select(['game_id', 'predict_fen', 'status', 'body'])
    .executeTakeFirstOrThrow(reportNotFound)
  const { sellTime, soldSpells = 0 } = (await publicStatistics.market(report.game_id)) ?? {}
  if (!isReportUnlocked(report) || !sellTime || soldSpells < MIN_SOLD_SPELLS) return { n: soldSpells, points: [] }
  const { quickFen: from, listFen: to } = reportBody(report).price
  const points = Array.from({ length: POINTS }, (_, k) => {
    const priceFen = Math.round(from + ((to - from) * k) / (POINTS - 1))
    const days = medianDays(sellTime, Math.log(priceFen / report.predict_fen))
    return { priceFen, ...(days !== undefined && { days }) }
  })
  return { n: soldSpells, points }
}
