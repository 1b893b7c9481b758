/** Which tables statements read as a whole. */
import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { DB } from '../db/tables'

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: Plan[]
}

/** The statements that are executed meanwhile. */
export async function statementsOf(db: Kysely<DB>, work: () => Promise<unknown>): Promise<CompiledQuery[]> {
  const spy = jest.spyOn(Object.getPrototypeOf(db.getExecutor()), 'executeQuery')
  try {
    await work()
    return spy.mock.calls.map(([query]) => query as CompiledQuery)
  } finally {
    spy.mockRestore()
  }
}

/** Whether a condition of a plan concerns a column, or the expression that an index has instead. */
const isAbout = (condition: string, column: string): boolean =>
  new RegExp(`(?<!\\w)${column.replace(/[^\w\s]/g, '\\$&')}(?!\\w)`).test(condition.replace(/\b\w+\./g, ''))

/**
 * The tables that a statement reads without a condition on the first column of an index, however few its rows are now;
 * `table using index` where it reads a whole index.
 */
export async function readWhole(
  db: Kysely<DB>,
  statements: readonly CompiledQuery[],
): Promise<{ text: string; whole: string[] }[]> {
  const { rows: indexes } = await sql<{ name: string; of: string; first: string }>`
    select indexrelid::regclass::text as name, indrelid::regclass::text as of,
      pg_get_indexdef(indexrelid, 1, false) as first from pg_index`.execute(db)
  const indexOf = new Map(indexes.map((index) => [index.name, index]))
  const wholeOf = (plan: Plan): string[] => {
    const { 'Node Type': type, 'Index Cond': condition = '', 'Relation Name': table, Plans: below = [] } = plan
    const index = indexOf.get(plan['Index Name'] ?? '')
    const isWhole = index ? !isAbout(condition, index.first) : type === 'Seq Scan'
    const name = index ? `${index.of} using ${index.name}` : (table ?? '')
    return [...(isWhole ? [name] : []), ...below.flatMap(wholeOf)]
  }
  return db.transaction().execute(async (tx) => {
    // small tables are read whole whatever their indexes
    await sql`set local enable_seqscan = off`.execute(tx)
    const read: { text: string; whole: string[] }[] = []
    for (const { sql: text, parameters } of statements) {
      if (!/^\s*(select|with|update|delete)\b/i.test(text)) continue
      const plan = CompiledQuery.raw(`explain (format json) ${text}`, [...parameters])
      const { rows } = await tx.executeQuery<{ 'QUERY PLAN': { Plan: Plan }[] }>(plan)
      const whole = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: top }) => wholeOf(top)))
      if (whole.length > 0) read.push({ text, whole })
    }
    return read
  })
}
