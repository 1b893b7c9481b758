import { type Selectable, sql } from 'kysely'
import { DAY_MS, MINUTE_MS } from '@/contract/time'
import type { Deps } from '../../core/context'
import type { Db } from '../../db/database'
import { isDatabaseAway } from '../../db/errors'
import type { DeletionOutbox } from '../../db/tables'
import { isTimeReached } from './due'
import { rowsJob } from './due-rows'

const FIRST_WAIT = 60_000
const LONGEST_WAIT = DAY_MS
const ALARM_AFTER = 10
const BATCH = 20

type Kind = DeletionOutbox['kind']

/** Records external data to delete; the job `deletion outbox` retries until it succeeds, also after a crash. */
export async function queueDeletion(tx: Db, kind: Kind, refs: readonly string[], now: number): Promise<void> {
  if (refs.length === 0) return
  await tx
    .insertInto('deletion_outbox')
    .values(refs.map((ref) => ({ kind, ref, due_at: now })))
    .onConflict((c) => c.columns(['kind', 'ref']).doUpdateSet({ due_at: now }))
    .execute()
}

const remove: { readonly [K in Kind]: (deps: Deps, ref: string) => Promise<void> } = {
  READ: ({ providers: { collector } }, ref) => collector.deleteCollection(ref),
  PICTURES: ({ providers: { storage } }, userId) => storage.removeAll(userId),
}

const rowId = sql<string>`deletion_outbox.kind || ' ' || deletion_outbox.ref`

/** Reschedules the row before the attempt, so that only one process makes it. @returns the number of the attempt */
const claim = ({ db }: Deps, { kind, ref, due_at }: Due, now: number) =>
  db
    .updateTable('deletion_outbox')
    .set({
      tries: sql`tries + 1`,
      due_at: sql`${now}::bigint + least(${LONGEST_WAIT}, ${FIRST_WAIT} * power(2, least(tries, 20)))::bigint`,
    })
    .where('kind', '=', kind)
    .where('ref', '=', ref)
    .where('due_at', '=', due_at)
    .returning('tries')
    .executeTakeFirst()

type Due = Pick<Selectable<DeletionOutbox>, 'kind' | 'ref' | 'due_at'>

/** An unreachable service is retried indefinitely and does not count as a failure of the row. */
async function attempt(deps: Deps, { kind, ref }: Due, tries: number): Promise<boolean> {
  try {
    await remove[kind](deps, ref)
    return true
  } catch (err) {
    if (isDatabaseAway(err)) throw err
    const alarm = tries >= ALARM_AFTER
    deps.log[alarm ? 'error' : 'warn']({ err, kind, tries, alarm }, 'a removal must be tried again')
    return false
  }
}

export const processDeletions = rowsJob(
  { name: 'deletion outbox', lowPriority: true, every: MINUTE_MS },
  (deps, now) => ({
    due: (notQuarantined) =>
      deps.db
        .selectFrom('deletion_outbox')
        .select(['kind', 'ref', 'due_at'])
        .where(isTimeReached(sql`due_at`, now, LONGEST_WAIT))
        .where(notQuarantined(rowId))
        .orderBy('due_at')
        .limit(BATCH)
        .execute(),
    idOf: ({ kind, ref }) => `${kind} ${ref}`,
    async process(due) {
      const claimed = await claim(deps, due, now)
      if (!claimed) return false
      if (await attempt(deps, due, claimed.tries))
        await deps.db.deleteFrom('deletion_outbox').where('kind', '=', due.kind).where('ref', '=', due.ref).execute()
      return true
    },
  }),
)
