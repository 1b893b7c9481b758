/** A partner whose prices move away from the market is stopped until staff decide. */
import { sql } from 'kysely'
import { comparableKindText } from '@/contract/labels'
import type { Db } from '../../../db/database'
import { SYNTHETIC } from '../../../db/sales'
import { percentOfLog, quantile } from '../../../engine/numbers'

/** sales of the partner whose median is compared, and those of others */
const WINDOW = 100
/** with fewer than half of them chance would decide */
const MIN_SALES = WINDOW / 2
const MAX_LOG = Math.log(1.15)

interface Compared {
  partnerId: string
  gameId: string
  kind: 'SOLD' | 'ASKING'
}

/** Log residuals of the newest sales of the partner since staff last decided about it, or of all others, oldest first. */
async function newestOf(db: Db, { gameId, kind, partnerId }: Compared, isOwn: boolean): Promise<number[]> {
  const own = sql<boolean>`(s.channel = 'PARTNER' and s.source in (
    select source from partner_sources where partner_id = ${partnerId}))`
  const since = sql<boolean>`s.id > (select checked_sale from partners where partner_id = ${partnerId})`
  const { rows } = await sql<{ residual: number }>`select residual from sales s
    where game_id = ${gameId} and kind = ${kind} and source <> ${SYNTHETIC} and residual is not null
      and ${isOwn ? sql`${own} and ${since}` : sql`not ${own}`}
    order by id desc limit ${WINDOW}`.execute(db)
  return rows.map(({ residual }) => residual).reverse()
}

/**
 * How the prices of a partner differ from those of all others of a game, in words: the median of any `WINDOW` successive
 * sales that end among these, from half as many on, by the model's expectation on arrival, which is the market of others
 * where they have too few. undefined: they do not.
 * @param fresh log residuals of sales that arrive now, oldest first
 */
export async function movedLevel(db: Db, compared: Compared, fresh: readonly number[]): Promise<string | undefined> {
  const all = [...(await newestOf(db, compared, true)), ...fresh]
  const others = await newestOf(db, compared, false)
  const market = others.length < MIN_SALES ? 0 : quantile(others, 0.5)
  for (let end = all.length; end > all.length - fresh.length && end >= MIN_SALES; end -= MIN_SALES / 2) {
    const log = quantile(all.slice(Math.max(0, end - WINDOW), end), 0.5) - market
    if (Math.abs(log) > MAX_LOG)
      return `${compared.gameId} 最近的${comparableKindText[compared.kind]}比其他来源${log > 0 ? '高' : '低'} ${percentOfLog(log)}`
  }
  return undefined
}
