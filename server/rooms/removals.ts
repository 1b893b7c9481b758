import { sql } from 'kysely'
import type { Deps } from '../context'
import type { Db } from '../db/database'
import type { RemovalsTable } from '../db/tables'
import type { Job } from '../jobs/sweep'

const FIRST_WAIT = 60_000
const LONGEST_WAIT = 86_400_000
const ALARM_AFTER = 10
const BATCH = 20

type Kind = RemovalsTable['kind']

/** Notes what lies outside the database and has to go; `removals` does it, and again until it is done. Kill -9 is harmless. */
export async function toRemove(tx: Db, kind: Kind, refs: readonly string[], now: number): Promise<void> {
  if (refs.length === 0) return
  await tx
    .insertInto('removals')
    .values(refs.map((ref) => ({ kind, ref, due_at: now })))
    .onConflict((c) => c.columns(['kind', 'ref']).doUpdateSet({ due_at: now }))
    .execute()
}

const remove: { readonly [K in Kind]: (deps: Deps, ref: string) => Promise<void> } = {
  READ: ({ collector }, ref) => collector.forget(ref),
  PICTURES: ({ storage }, userId) => storage.removeAll(userId),
}

/** The next ones due, each put off before it is tried: of two processes one has it. */
const claim = ({ db }: Deps, now: number) =>
  db
    .updateTable('removals')
    .set({
      tries: sql`tries + 1`,
      due_at: sql`${now}::bigint + least(${LONGEST_WAIT}, ${FIRST_WAIT} * power(2, least(tries, 20)))::bigint`,
    })
    .where(sql<boolean>`(kind, ref) in (select kind, ref from removals where due_at <= ${now}::bigint
      order by due_at limit ${sql.lit(BATCH)} for update skip locked)`)
    .returning(['kind', 'ref', 'tries'])
    .execute()

export const removals: Job = {
  name: 'removals',
  async run(deps, now) {
    const due = await claim(deps, now)
    for (const { kind, ref, tries } of due)
      try {
        await remove[kind](deps, ref)
        await deps.db.deleteFrom('removals').where('kind', '=', kind).where('ref', '=', ref).execute()
      } catch (err) {
        const alarm = tries >= ALARM_AFTER
        deps.log[alarm ? 'error' : 'warn']({ err, kind, tries, alarm }, 'a removal must be tried again')
      }
    return due.length
  },
}
