/** Takes rows of an import or a feed: validates and screens them, stores or holds the valid ones, names the others by line. */
import { setImmediate as turn } from 'node:timers/promises'
import type { FormConfig } from '@/contract/form/types'
import type { Db } from '../../../db/database'
import { type HeldSale, knownSales, type SaleRow, type ScreenedSale, saleKey, storeSales } from '../../../db/sales'
import { groupBy } from '../../shared/batches'
import { checkSale } from './check-sale'
import type { RawRow } from './rows'

export interface ImportSummary {
  read: number
  added: number
  held: number
  /** stored or held already, by `source + externalId` */
  known: number
  /** those with a key that is stored or held with other content, which stays */
  different: number
  refused: number
  /** ids of the games with new sales */
  games: Set<string>
}

interface ImportDeps {
  /** undefined: no such game */
  configOf(gameId: string): Promise<FormConfig | undefined>
  /** Compares valid rows of one game with its market; text: why one is refused. */
  screen(sales: readonly SaleRow[], gameId: string): Promise<readonly (ScreenedSale | string)[]>
  /** Stores a batch of one game by `storeNew`. */
  store(batch: readonly ScreenedSale[], gameId: string): Promise<StoredBatch>
  /** Names a row that was not stored, because it is refused or differs from a stored one. */
  report(line: number, reason: string, why: 'refused' | 'different'): void
  progress?(soFar: ImportSummary): void
  /** ms */
  now: number
}

const BATCH = 500
const PROGRESS_EVERY = 10_000
/** rows until other requests have their turn */
const STEP = 20

interface Row {
  line: number
  sale: SaleRow
}

/** Takes all rows. Memory use does not grow with their number. */
export async function importSales(rows: AsyncIterable<RawRow>, deps: ImportDeps): Promise<ImportSummary> {
  const summary: ImportSummary = { read: 0, added: 0, held: 0, known: 0, different: 0, refused: 0, games: new Set() }
  const refuse = (line: number, reason: string) => {
    summary.refused += 1
    deps.report(line, reason, 'refused')
  }
  const storeGame = async (gameId: string, part: readonly Row[]) => {
    const screened = await deps.screen(
      part.map(({ sale }) => sale),
      gameId,
    )
    const taken = screened.flatMap((sale, i) => {
      const line = part[i]?.line ?? 0
      if (typeof sale !== 'string') return [{ line, sale }]
      refuse(line, sale)
      return []
    })
    const batch = taken.map(({ sale }) => sale)
    const { added, held, differences } = await deps.store(batch, gameId)
    summary.added += added
    summary.held += held
    summary.different += differences.size
    summary.known += taken.length - added - held - differences.size
    for (const [i, fields] of differences)
      deps.report(taken[i]?.line ?? 0, `已有同一 source 与 externalId 的记录，${fields} 不同：没有更改`, 'different')
    if (added > 0) summary.games.add(gameId)
  }
  let batch: Row[] = []
  const flush = async () => {
    for (const [gameId, part] of groupBy(batch, ({ sale }) => [sale.gameId])) await storeGame(gameId, part)
    batch = []
  }
  for await (const row of rows) {
    summary.read++
    const checked = 'reason' in row ? row.reason : await checkSale(row.value, deps.configOf, deps.now)
    if (typeof checked === 'string') refuse(row.line, checked)
    else batch.push({ line: row.line, sale: checked })
    if (batch.length >= BATCH) await flush()
    if (summary.read % PROGRESS_EVERY === 0) deps.progress?.(summary)
    if (summary.read % STEP === 0) await turn()
  }
  await flush()
  return summary
}

interface StoredBatch {
  added: number
  held: number
  /** fields in which rows differ from what is stored or held under their key, by place in the batch */
  differences: ReadonlyMap<number, string>
}

/** Why all rows of a sender wait for staff. */
export type Hold = Pick<HeldSale, 'reason' | 'detail'>

/**
 * Stores a batch. Of rows with the same key the first counts, and what is stored or held already is not changed.
 * @param holdAll why all new ones wait for staff
 */
export async function storeNew(
  tx: Db,
  batch: readonly ScreenedSale[],
  now: number,
  holdAll?: (fresh: readonly ScreenedSale[]) => Promise<Hold | undefined>,
): Promise<StoredBatch> {
  const known = await knownSales(tx, batch)
  const first = new Map(batch.map((sale, i) => [saleKey(sale), i] as const).toReversed())
  const fresh = batch.filter((sale, i) => !known.has(i) && first.get(saleKey(sale)) === i)
  const hold = await holdAll?.(fresh)
  const stored = await storeSales(tx, hold ? fresh.map((sale) => ({ ...sale, ...hold })) : fresh, now)
  if (fresh.length === batch.length) return { ...stored, differences: new Map() }
  const differences = [...(await knownSales(tx, batch))].filter(([, fields]) => fields !== '')
  return { ...stored, differences: new Map(differences) }
}
