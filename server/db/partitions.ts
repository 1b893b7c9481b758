/** Partitions by month in China's time, of tables whose rows end with their time. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { CHINA_OFFSET_MS } from '@/contract/time'
import type { Tables } from './tables'

/** A table partitioned by a column of ms, with a default partition named `<table>_default`. */
export interface MonthlyTable {
  table: keyof Tables
  column: string
  /** SQL over a row of a table: it is still needed, however old; a partition with such a row is not dropped */
  needed?: (table: RawBuilder<unknown>) => RawBuilder<boolean>
}

/** Name of the partition of rows that belong to no month. */
export const defaultOf = ({ table }: MonthlyTable): string => `${table}_default`

/** Months that exist ahead of the current one. Each is one more that reads without an upper bound look into. */
const MONTHS_AHEAD = 1
/**
 * ms a change waits for the locks on its table, because every later statement on it queues behind. It is shorter than
 * PostgreSQL's deadlock timeout, so a deadlock ends this change and never a transaction of a user.
 */
const LOCK_TIMEOUT = 500
/** maximum number of attempts of a change whose table is locked, and ms before the second one, doubled each time */
const ATTEMPTS = 6
const FIRST_PAUSE = 100
/** SQLSTATE lock_not_available */
const LOCKED = '55P03'

const pad = (month: number) => String(month).padStart(2, '0')

/** A month in China as `YYYYMM`, `offset` months after the one that contains the moment `at`. */
function monthOf(at: number, offset = 0): string {
  const date = new Date(at + CHINA_OFFSET_MS)
  const month = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset))
  return `${month.getUTCFullYear()}${pad(month.getUTCMonth() + 1)}`
}

/** Start and end of a month `YYYYMM`, ms. */
function boundsOf(month: string): { from: number; to: number } {
  const [year, index] = [Number(month.slice(0, 4)), Number(month.slice(4)) - 1]
  return { from: Date.UTC(year, index) - CHINA_OFFSET_MS, to: Date.UTC(year, index + 1) - CHINA_OFFSET_MS }
}

async function monthsOf(db: Kysely<Tables>, table: string): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    select right(inhrelid::regclass::text, 6) as month from pg_inherits
    where inhparent = ${table}::regclass and inhrelid::regclass::text ~ '_[0-9]{6}$' order by 1`.execute(db)
  return rows.map(({ month }) => month)
}

const changeOnce = (db: Kysely<Tables>, statements: readonly string[]) =>
  db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(tx)
    // `if not exists` fails in one of two transactions that create the same table
    await sql`select pg_advisory_xact_lock(hashtext('partitions'))`.execute(tx)
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })

/**
 * Changes that block a table, in one transaction. While another transaction or process holds the table they are
 * attempted again, with the queue behind them released in between.
 * @throws the database's error after `ATTEMPTS`
 */
async function change(db: Kysely<Tables>, ...statements: readonly string[]): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await changeOnce(db, statements)
    } catch (err) {
      if ((err as { code?: unknown }).code !== LOCKED || attempt === ATTEMPTS) throw err
      await delay(FIRST_PAUSE * 2 ** (attempt - 1))
    }
  }
}

/**
 * Creates the partition of a month to come. PostgreSQL blocks the table while it searches the whole default partition
 * for rows of that month, unless a validated check says that there are none; validating blocks nobody.
 */
async function createAhead(db: Kysely<Tables>, monthly: MonthlyTable, month: string): Promise<void> {
  const { column } = monthly
  const { from, to } = boundsOf(month)
  const rest = defaultOf(monthly)
  const check = `${rest}_not_${month}`
  const removeCheck = `alter table ${rest} drop constraint if exists ${check}`
  await change(
    db,
    // left by a process that was killed before it removed it
    removeCheck,
    `alter table ${rest} add constraint ${check} check (${column} < ${from} or ${column} >= ${to}) not valid`,
  )
  try {
    await sql.raw(`alter table ${rest} validate constraint ${check}`).execute(db)
    await change(db, creationOf(monthly, month))
  } finally {
    // after a failure too: if nobody creates the month, the default partition has to take its rows
    await change(db, removeCheck)
  }
}

const creationOf = ({ table }: MonthlyTable, month: string): string => {
  const { from, to } = boundsOf(month)
  return `create table if not exists ${table}_${month} partition of ${table} for values from (${from}) to (${to})`
}

/**
 * Creates the partitions of this month and the next ones. A month that already has rows in the default partition stays
 * there.
 * @returns how many were created
 * @throws the database's error when the table stays locked (6 s)
 */
export async function createPartitions(db: Kysely<Tables>, monthly: MonthlyTable, now: number): Promise<number> {
  const { table, column } = monthly
  const existing = await monthsOf(db, table)
  let created = 0
  for (let offset = 0; offset <= MONTHS_AHEAD; offset += 1) {
    const month = monthOf(now, offset)
    if (existing.includes(month)) continue
    const { from, to } = boundsOf(month)
    const { rows } = await sql`select from ${sql.table(defaultOf(monthly))}
      where ${sql.ref(column)} >= ${from}::bigint and ${sql.ref(column)} < ${to}::bigint limit 1`.execute(db)
    if (rows.length > 0) continue
    // a check would refuse rows of the current month until its partition exists
    if (offset === 0) await change(db, creationOf(monthly, month))
    else await createAhead(db, monthly, month)
    created += 1
  }
  return created
}

/**
 * Drops the partitions of months that ended by `before` (ms), except those with a row that is still needed.
 * @returns how many were dropped
 * @throws the database's error when the table stays locked (6 s)
 */
export async function dropPartitions(
  db: Kysely<Tables>,
  { table, needed }: MonthlyTable,
  before: number,
): Promise<number> {
  let dropped = 0
  for (const month of await monthsOf(db, table)) {
    const partition = `${table}_${month}`
    if (boundsOf(month).to > before) continue
    if (needed) {
      const rows = sql.table(partition)
      const { rows: kept } = await sql`select from ${rows} where ${needed(rows)} limit 1`.execute(db)
      if (kept.length > 0) continue
    }
    await change(db, `drop table if exists ${partition}`)
    dropped += 1
  }
  return dropped
}
