/** Receives a partner's sales: the rows of a call go the way of an import, and all of them wait while the partner is new or stopped. */
import type { Deps } from '../../../core/context'
import type { Db } from '../../../db/database'
import type { ScreenedSale } from '../../../db/sales'
import { lockName } from '../../shared/locks'
import { screenSale } from '../expected-price'
import { encodingOf } from '../import/encoding'
import { readRows } from '../import/rows'
import { type Hold, importSales, storeNew } from '../import/sales'
import { movedLevel } from './moved-level'
import { claimSources } from './sources'

interface Refused {
  line: number
  reason: string
}

export interface FeedResult {
  accepted: number
  /** stored or held before, or twice in this call */
  known: number
  held: number
  refused: Refused[]
  /** those of the known that differ from what is stored, which stays; absent without any */
  differs?: Refused[]
}

async function* once(body: Uint8Array) {
  yield body
}

/**
 * Takes one body of sales (NDJSON). Idempotent by `source + externalId`: rows that are stored or held already are
 * `known`. A source belongs to the first partner that sends it.
 */
export async function receiveSales(deps: Deps, partnerId: string, body: Uint8Array): Promise<FeedResult> {
  const { db, clock } = deps
  const { games, models } = deps.repositories
  const now = clock.now()
  const found: Record<'refused' | 'different', Refused[]> = { refused: [], different: [] }
  const rows = readRows(once(body), 'ndjson', await encodingOf(once(body)))
  const { added, held, known, different } = await importSales(rows, {
    now,
    configOf: async (gameId) => (await games.all()).find(({ config }) => config.gameId === gameId)?.config,
    screen: async (sales, gameId) => {
      const reasons = await claimSources(db, partnerId, new Set(sales.map(({ source }) => source)))
      const active = await models.inUse({ gameId })
      return sales.map(
        (sale) => reasons.get(sale.source) ?? screenSale(active?.model, { ...sale, channel: 'PARTNER' as const }),
      )
    },
    store: (batch, gameId) =>
      db.transaction().execute(async (tx) => {
        await lockName(tx, `partner:${partnerId}`)
        return storeNew(tx, batch, now, (fresh) => holdReasonOf(tx, partnerId, gameId, fresh))
      }),
    report: (line, reason, why) => found[why].push({ line, reason }),
  })
  const refused = found.refused.sort((a, b) => a.line - b.line)
  const differs = found.different.sort((a, b) => a.line - b.line)
  return { accepted: added, known: known + different, held, refused, ...(differs.length > 0 && { differs }) }
}

/** Sales of a partner that staff must have accepted before its rows are stored without them. */
const NEWCOMER = 200

/** Why all rows of a partner wait for staff: it is new, or its level has moved. */
async function holdReasonOf(
  tx: Db,
  partnerId: string,
  gameId: string,
  fresh: readonly ScreenedSale[],
): Promise<Hold | undefined> {
  const partner = tx.selectFrom('partners').where('partner_id', '=', partnerId)
  const { moved_level: moved } = await partner.select('moved_level').executeTakeFirstOrThrow()
  if (moved !== null) return { reason: 'LEVEL', detail: moved }
  const accepted = tx.selectFrom('sales').innerJoin('partner_sources as p', 'p.source', 'sales.source')
  const own = accepted.where('p.partner_id', '=', partnerId).where('channel', '=', 'PARTNER')
  if ((await own.select('sales.id').limit(NEWCOMER).execute()).length < NEWCOMER) return { reason: 'NEW' }
  for (const kind of ['SOLD', 'ASKING'] as const) {
    const residuals = fresh.flatMap((sale) => (sale.kind === kind ? (sale.residual ?? []) : []))
    const detail = await movedLevel(tx, { partnerId, gameId, kind }, residuals)
    if (detail === undefined) continue
    await tx.updateTable('partners').set({ moved_level: detail }).where('partner_id', '=', partnerId).execute()
    return { reason: 'LEVEL', detail }
  }
  return undefined
}

const [LF, CR] = [0x0a, 0x0d]

/** Number of lines of a call's body, which end with CR, LF or both. */
export function linesOf(body: Uint8Array): number {
  let lines = 0
  for (let i = 0; i < body.length; i += 1)
    if (body[i] === LF || (body[i] === CR && body[i + 1] !== LF) || i === body.length - 1) lines += 1
  return lines
}
