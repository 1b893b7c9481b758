/**
 * `npm run report:check -- [NUMBER …]`: computes stored reports again from their own model, form and answers and compares
 * every figure. All computed reports when no number is given; exit code 1 when one differs.
 */
import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables'
import { createModelRepository } from '../domains/models/repository'
import { recompute } from '../domains/reports/recompute'
import { StartError } from '../start-error'
import { argumentsOf, runTool } from './tool'

const BATCH = 100

/** What a report keeps of its valuation; what the account's past adds is not computed. */
const figures = (valued: unknown): string => {
  const { price, confidence, breakdown, comparables, raise } = valued as Record<string, unknown>
  // twice through JSON: the database drops what is undefined
  return JSON.stringify(sorted(JSON.parse(JSON.stringify({ price, confidence, breakdown, comparables, raise }))))
}

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return Object.fromEntries(entries.map(([key, part]) => [key, sorted(part)]))
}

/** Reports in the order of their numbers, a batch at a time: memory stays the same however many there are. */
async function* reports(db: Kysely<Tables>, numbers: readonly string[]) {
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

runTool(async (db) => {
  const { words } = argumentsOf([])
  const models = createModelRepository(db, async () => false)
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
})
