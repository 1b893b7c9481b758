import { type Kysely, sql, type Transaction } from 'kysely'
import { databaseTime } from '../db/now'
import type { DB } from '../db/tables'
import { intervalOf, type Job } from '../domains/shared/job'
import { lockName } from '../domains/shared/locks'

type Db = Kysely<DB>

/**
 * Schedules the next run of a job, replacing one that is scheduled already. All jobs have the same priority: the one
 * that has been due for longest runs first, so that none waits for ever behind slow ones.
 * @param delay ms from now
 */
export async function scheduleNext(db: Db, { name }: Job, delay: number): Promise<void> {
  await sql`select graphile_worker.add_job(${name}::text, job_key => ${name}::text,
    run_at => now() + ${delay}::bigint * interval '1 millisecond')`.execute(db)
}

/**
 * Schedules at once, in their order, those of the jobs that are not scheduled: new ones, those whose process died too
 * often, and those with a later time than their interval allows, which was set while the database's clock was wrong.
 * One process at a time: another one that has not yet seen the new rows would schedule the same jobs a second time.
 */
export async function scheduleMissing(tx: Transaction<DB>, jobs: readonly Job[]): Promise<void> {
  await lockName(tx, 'job schedule')
  const names = jobs.map(({ name }) => name)
  const intervals = jobs.map(intervalOf)
  await sql`select graphile_worker.add_job(j.name, job_key => j.name, run_at => now() + j.position * interval '1 microsecond')
    from unnest(${names}::text[], ${intervals}::bigint[]) with ordinality as j (name, every, position)
    where not exists (select from graphile_worker.jobs r where r.key = j.name and (r.locked_at is not null
      or (r.attempts < r.max_attempts and r.run_at <= now() + j.every * interval '1 millisecond')))`.execute(tx)
}

/** Records that these workers live. A worker must be recorded before it takes its first job. */
export async function noteWorkers(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await sql`insert into job_workers (id, seen_at) select unnest(${ids}::text[]), ${databaseTime}
    on conflict (id) do update set seen_at = excluded.seen_at`.execute(db)
}

/** Gives back the jobs of a worker that has ended. */
export async function removeWorker(db: Db, id: string): Promise<void> {
  await db.deleteFrom('job_workers').where('id', '=', id).execute()
  await sql`select graphile_worker.force_unlock_workers(array[${id}::text])`.execute(db)
}

/**
 * Gives back the jobs of workers that have not been seen for so many ms. Also deletes the rest of a run whose process
 * died between scheduling the next one and ending: it has no key and no attempts left.
 */
export async function removeDeadWorkers(db: Db, seenWithin: number): Promise<void> {
  await sql`delete from job_workers where abs(${databaseTime} - seen_at) > ${seenWithin}::bigint`.execute(db)
  await sql`select graphile_worker.force_unlock_workers(array_agg(distinct r.locked_by)) from graphile_worker.jobs r
    where r.locked_by is not null and not exists (select from job_workers w where w.id = r.locked_by)
    having count(*) > 0`.execute(db)
  await sql`select graphile_worker.complete_jobs(array_agg(r.id)) from graphile_worker.jobs r
    where r.key is null and r.locked_at is null and r.attempts >= r.max_attempts having count(*) > 0`.execute(db)
}
