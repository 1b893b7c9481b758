import { type Kysely, type RawBuilder, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { DAY_MS } from '@/contract/time'
import { isDatabaseAway } from '../../db/errors'
import type { DB, Payments } from '../../db/tables'
import { MIN_TESTED } from '../../domains/models/backtests'
import { intervalOf, type Job } from '../../domains/shared/job'
import type { Clock } from '../clock'
import type { Logger } from '../log'

const PAYMENT_STATUSES: readonly Payments['status'][] = ['CREATED', 'FAILED', 'CLOSING', 'CLOSED', 'PAID']

interface Options {
  /** those of this release: others would never succeed again */
  jobs: readonly Job[]
  db: Kysely<DB>
  clock: Clock
  log: Logger
}

type Rows = RawBuilder<{ value: number | null } & Record<string, string | number | null>>

/** The newest daily watch of the model in use of each game; figures of a few sales say nothing. */
const watches = sql`(select distinct on (w.game_id) w.*, w.game_id as game, m.synthetic,
    (m.accuracy->>'medianError')::float8 as tested
  from model_monitoring w join models m on m.id = w.model_id and m.active order by w.game_id, w.day desc) as watches`
const enough = sql`where n >= ${MIN_TESTED}`

const screenshots = (now: number) => sql`from screenshot_tasks where created_at > ${now - DAY_MS}`

/**
 * Figures that only the database knows: payments and refunds by state, overdue refund requests, success and failing
 * rows of jobs, age and accuracy of models. Registered in processes that run jobs, so that they are asked for once.
 * While the database is away the last figures stay.
 */
export function registerDatabaseGauges(registry: Registry, { db, clock, log, jobs }: Options): void {
  const gauge = (name: string, help: string, labelNames: readonly string[], collect: () => Promise<void> | void) =>
    new Gauge({ name: `valuation_${name}`, help, labelNames, registers: [registry], collect })

  /** @param rows `value`, and the labels by their names; null: there is none */
  function figure(name: string, help: string, labels: readonly string[], rows: (now: number) => Rows) {
    const shown = gauge(name, help, labels, async () => {
      const result = await rows(clock.now())
        .execute(db)
        .catch((err: unknown) => {
          // `database_up` tells an outage
          if (!isDatabaseAway(err)) log.warn({ err }, 'a figure of the database could not be read')
        })
      if (!result) return
      shown.reset()
      for (const { value, ...own } of result.rows)
        if (typeof value === 'number')
          shown.set(Object.fromEntries(labels.map((label) => [label, String(own[label])])), value)
    })
  }

  const up = gauge('database_up', '1 if these figures could be read, 0 while they are those of before', [], () =>
    sql`select 1`.execute(db).then(
      () => up.set(1),
      (err: unknown) => {
        log.warn({ err }, 'the figures of the database could not be read')
        up.set(0)
      },
    ),
  )
  const interval = gauge('job_interval_seconds', 'Time between two runs of a job over all processes', ['job'], () => {
    for (const job of jobs) interval.set({ job: job.name }, intervalOf(job) / 1000)
  })
  // a status without payments is 0: to be compared with another one it needs a value
  figure(
    'payments',
    'Payments of the last 24 hours by provider and status',
    ['provider', 'status'],
    (now) => sql`select provider, s.status, (count(*) filter (where p.status = s.status))::int as value
      from payments p cross join unnest(${PAYMENT_STATUSES}::text[]) as s (status)
      where created_at > ${now - DAY_MS} group by 1, 2`,
  )
  figure(
    'refunds_open',
    'Refunds that have not arrived yet, by status',
    ['status'],
    () => sql`select status, count(*)::int as value from refunds where next_at is not null group by 1`,
  )
  figure(
    'refund_requests_overdue',
    'Refund requests that staff have not decided in time',
    [],
    (now) => sql`select count(*)::int as value from orders where status = 'REFUNDING' and refund_due_at <= ${now}`,
  )
  figure(
    'job_failed_rows',
    'Rows on which a job failed, by state (retrying, quarantined)',
    ['job', 'state'],
    () => sql`select job, case when quarantined_at is null then 'retrying' else 'quarantined' end as state,
      count(*)::int as value from job_failures group by 1, 2`,
  )
  figure(
    'job_last_success_timestamp_seconds',
    'When a job last ended without an error, in any process; its age is time() minus this',
    ['job'],
    () => sql`select name as job, succeeded_at / 1000.0::float8 as value from job_runs
      where name = any(${jobs.map(({ name }) => name)}::text[])`,
  )
  figure(
    'screenshots_wait_seconds',
    'How long the first screenshots in the queue have waited',
    [],
    (now) => sql`select coalesce(${now} - min(created_at), 0) / 1000.0::float8 as value ${screenshots(now)}
      and status in ('WAITING', 'READING')`,
  )
  figure(
    'screenshots_asked_ratio',
    'Share of the answers read from screenshots in the last 24 hours that are asked',
    [],
    (now) => sql`select coalesce(sum(jsonb_array_length(result->'ask'))::float8
      / nullif(sum((select count(*) from jsonb_object_keys(result->'answers'))), 0), 0)::float8 as value ${screenshots(now)}`,
  )
  figure(
    'screenshots_cpu_seconds',
    'Processor seconds that screenshots of the last 24 hours took',
    [],
    (now) => sql`select coalesce(sum(processor_ms), 0) / 1000.0::float8 as value ${screenshots(now)}`,
  )
  figure(
    'model_trained_timestamp_seconds',
    'When the active model of a game was trained; its age is time() minus this',
    ['game'],
    () => sql`select game_id as game, trained_at / 1000.0::float8 as value from models where active`,
  )
  // the watch measures real sales, so a test of generated ones is no measure
  figure(
    'model_drift_ratio',
    'Median error of the active model on sales since its training, divided by that of its back-test',
    ['game'],
    () => sql`select game, median_error / nullif(tested, 0) as value from ${watches} ${enough} and not synthetic`,
  )
  figure(
    'model_coverage_ratio',
    'Share of these sales within the range of 80 %',
    ['game'],
    () => sql`select game, coverage as value from ${watches} ${enough}`,
  )
}
