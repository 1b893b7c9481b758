/** A database that refuses the change of some rows, whatever the job. */
import { type Kysely, sql } from 'kysely'
import type { DB } from '../../db/tables'
import type { TestServer } from '../harness'
import { dueRows } from './due-rows'
import type { Buyer, Fixture } from './fixture'

/** Rows of each job; the first one fails. */
const EACH = 3

/** DB of these rows; columns that only say when a row is tried next, which may be changed. */
const tables = [
  'orders',
  'payments',
  'refunds',
  'user_coupons',
  'collection_tasks',
  'messages',
  'users',
  'deletion_outbox',
]
const schedule = `array['asked_at', 'asks', 'next_ask_at', 'tries', 'next_at', 'due_at']`

/** From now on every change of these rows, except of retry times, fails like a constraint violation. */
async function refuseChanges(db: Kysely<DB>, ids: readonly string[]): Promise<void> {
  await sql`create table failing_rows (id text primary key)`.execute(db)
  for (const id of ids) await sql`insert into failing_rows values (${id})`.execute(db)
  await sql
    .raw(`create function refuse_failing_row() returns trigger language plpgsql as $$
      declare before jsonb := to_jsonb(old);
      begin
        if exists (select from failing_rows f where f.id in (before ->> 'id', before ->> 'coupon_id', before ->> 'ref'))
          and (tg_op = 'DELETE' or (before - ${schedule}) is distinct from (to_jsonb(new) - ${schedule}))
        then raise exception 'this row of % always fails', tg_table_name; end if;
        if tg_op = 'DELETE' then return old; end if;
        return new;
      end $$`)
    .execute(db)
  for (const table of tables)
    await sql
      .raw(`create trigger refuse_failing_row before update or delete on ${table}
        for each row execute function refuse_failing_row()`)
      .execute(db)
}

/** Rows by job: the first of each fails. */
export type InsertedRows = Map<string, string[]>

export async function makeDueRows(server: TestServer, fixture: Fixture): Promise<InsertedRows> {
  const { db } = server.database
  const made: InsertedRows = new Map()
  for (const [i, { job, make }] of dueRows.entries()) {
    const buyer = fixture.buyers[i % fixture.buyers.length] as Buyer
    const ids: string[] = []
    for (let nth = 0; nth < EACH; nth += 1) ids.push(await make({ server, db, fixture, buyer, nth }))
    made.set(job, ids)
  }
  await refuseChanges(
    db,
    [...made.values()].map(([first]) => first ?? ''),
  )
  return made
}

/** Job and index of the processed rows; the failing one has index 0. */
export async function changedRows(db: Kysely<DB>, made: InsertedRows): Promise<Record<string, number[]>> {
  const acted: Record<string, number[]> = {}
  for (const { job, isDone } of dueRows) {
    const ids = made.get(job) ?? []
    const done = await Promise.all(ids.map((id) => isDone(db, id)))
    acted[job] = done.flatMap((is, nth) => (is ? nth : []))
  }
  return acted
}
