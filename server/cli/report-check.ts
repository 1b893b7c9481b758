/**
 * `npm run report:check -- [NUMBER …]`: recomputes stored reports from their own model, form and answers and compares
 * every figure. Without numbers all computed reports are checked; exit code 1 if one differs.
 */
import type { Kysely } from 'kysely'
import { StartError } from '../core/start-error'
import type { DB } from '../db/tables'
import { createModelRepository } from '../domains/models/repository'
import { recompute } from '../domains/reports/recompute'
import type { Valued } from '../engine/types'
import { argumentsOf } from './command'
import { runTool } from './tool'

const BATCH = 100

/**
 * The recomputable figures of a report's valuation. Left out are those that depend on the account's history, and what
 * newer versions say about the same amounts: the confidence, the words of lines and differences, and which improvements
 * are advised.
 */
const figures = (valued: unknown): string => {
  const { price, breakdown, comparables } = valued as Valued
  const amounts = comparables.map(({ diff: _, ...rest }) => rest)
  const lines = breakdown.map(({ label: _, why: __, ...rest }) => rest)
  // JSON round trip, since the database drops undefined values
  return JSON.stringify(sorted(JSON.parse(JSON.stringify({ price, lines, amounts }))))
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}

/** Reports ordered by number, in batches, so that memory use is constant. */
async function* reports(db: Kysely<DB>, numbers: readonly string[]) {
  for (let after = ''; ; ) {
    let query = db.selectFrom('reports').selectAll().where('model_id', 'is not', null).where('report_no', '>', after)
    if (numbers.length > 0) query = query.where('report_no', 'in', [...numbers])
    const rows = await query.orderBy('report_no').limit(BATCH).execute()
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < BATCH) return
    after = last.report_no
  }
}

const read = () => argumentsOf('用法：npm run report:check -- [编号 …]', {}, { min: 0, max: 1000 }).positionals

runTool(async (db, words) => {
  const models = createModelRepository(db)
  let n = 0
  const different: string[] = []
  for await (const row of reports(db, words)) {
    n += 1
    const again = await recompute({ db, models }, row)
    if (!again.ok || figures(again) !== figures(row.body)) different.push(row.report_no)
  }
  if (n < words.length) throw new StartError(`只找到 ${n} 份报告，请核对编号。`)
  for (const no of different) console.error(`✗ ${no}：重算结果与存档不同`)
  console.log(`${n} 份报告，${n - different.length} 份重算一致`)
  if (different.length > 0) process.exitCode = 1
}, read)
