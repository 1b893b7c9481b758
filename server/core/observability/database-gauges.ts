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

interface Figure {
  name: string
  help: string
  labels: readonly string[]
  /** `value`, and the labels by their names; null: there is none */
  rows(now: number): RawBuilder<{ value: number | null } & Record<string, string | number | null>>
}

/** The newest daily watch of the model in use of each game; figures of a few sales say nothing. */
const watches = sql`(select distinct on (w.game_id) w.*, w.game_id as game, m.synthetic,
    (m.accuracy->>'medianError')::float8 as tested
  from model_monitoring w join models m on m.id = w.model_id and m.active order by w.game_id, w.day desc) as watches`
const enough = sql`where n >= ${MIN_TESTED}`

const screenshots = (now: number) => sql`from screenshot_tasks where created_at > ${now - DAY_MS}`

const figuresOf = (jobs: readonly string[]): Figure[] => [
  {
    name: 'payments',
    help: 'Payments of the last 24 hours by provider and status',
    labels: ['provider', 'status'],
    // a status without payments is 0: to be compared with another one it needs a value
    rows: (now) => sql`select provider, s.status, (count(*) filter (where p.status = s.status))::int as value
        from payments p cross join unnest(${PAYMENT_STATUSES}::text[]) as s (status)
        where created_at > ${now - DAY_MS} group by 1, 2`,
  },
  {
    name: 'refunds_open',
    help: 'Refunds that have not arrived yet, by status',
    labels: ['status'],
    rows: () => sql`select status, count(*)::int as value from refunds where next_at is not null group by 1`,
  },
  {
    name: 'refund_requests_overdue',
    help: 'Refund requests that staff have not decided in time',
    labels: [],
    rows: (now) =>
      sql`select count(*)::int as value from orders where status = 'REFUNDING' and refund_due_at <= ${now}`,
  },
  {
    name: 'job_failed_rows',
    help: 'Rows on which a job failed, by state (retrying, quarantined)',
    labels: ['job', 'state'],
    rows: () => sql`select job, case when quarantined_at is null then 'retrying' else 'quarantined' end as state,
        count(*)::int as value from job_failures group by 1, 2`,
  },
  {
    name: 'job_last_success_timestamp_seconds',
    help: 'When a job last ended without an error, in any process; its age is time() minus this',
    labels: ['job'],
    rows: () => sql`select name as job, succeeded_at / 1000.0::float8 as value from job_runs
        where name = any(${jobs}::text[])`,
  },
  {
    name: 'screenshots_wait_seconds',
    help: 'How long the first screenshots in the queue have waited',
    labels: [],
    rows: (now) => sql`select coalesce(${now} - min(created_at), 0) / 1000.0::float8 as value ${screenshots(now)}
        and status in ('WAITING', 'READING')`,
  },
  {
    name: 'screenshots_asked_ratio',
    help: 'Share of the answers read from screenshots in the last 24 hours that are asked',
    labels: [],
    rows: (now) => sql`select coalesce(sum(jsonb_array_length(result->'ask'))::float8
      / nullif(sum((select count(*) from jsonb_object_keys(result->'answers'))), 0), 0)::float8 as value ${screenshots(now)}`,
  },
  {
    name: 'screenshots_cpu_seconds',
    help: 'Processor seconds that screenshots of the last 24 hours took',
    labels: [],
    rows: (now) => sql`select coalesce(sum(processor_ms), 0) / 1000.0::float8 as value ${screenshots(now)}`,
  },
  {
    name: 'model_trained_timestamp_seconds',
    help: 'When the active model of a game was trained; its age is time() minus this',
    labels: ['game'],
    rows: () => sql`select game_id as game, trained_at / 1000.0::float8 as value from models where active`,
  },
  {
    name: 'model_median_error_ratio',
    help: 'Median error of the newest back-test of a game, 0.1 = 10 %',
    labels: ['game'],
    rows: () => sql`select game_id as game, (accuracy->>'medianError')::float8 as value from models where active`,
  },
  {
    name: 'model_drift_ratio',
    help: 'Median error of the active model on sales since its training, divided by that of its back-test',
    labels: ['game'],
    // the watch measures real sales, so a test of generated ones is no measure
    rows: () => sql`select game, median_error / nullif(tested, 0) as value from ${watches} ${enough} and not synthetic`,
  },
  {
    name: 'model_coverage_ratio',
    help: 'Share of these sales within the range of 80 %',
    labels: ['game'],
    rows: () => sql`select game, coverage as value from ${watches} ${enough}`,
  },
  {
    name: 'model_unknown_ratio',
    help: 'Share of their items and options that the model does not know',
    labels: ['game'],
    rows: () => sql`select game, unknown_share as value from ${watches} ${enough}`,
  },
  {
    name: 'model_stability_index',
    help: 'Population stability index of their prices',
    labels: ['game'],
    rows: () => sql`select game, stability as value from ${watches} ${enough}`,
  },
]

/**
 * Figures that only the database knows: payments and refunds by state, overdue refund requests, success and failing
 * rows of jobs, age and accuracy of models. Registered in processes that run jobs, so that they are asked for once.
 * While the database is away the last figures stay.
 */
export function registerDatabaseGauges(registry: Registry, { db, clock, log, jobs }: Options): void {
  const names = jobs.map(({ name }) => name)
  const interval = gauge('job_interval_seconds', 'Time between two runs of a job over all processes', ['job'])
  for (const job of jobs) interval.set({ job: job.name }, intervalOf(job) / 1000)
  const up = gauge('database_up', '1 if these figures could be read, 0 while they are those of before', [], () =>
    sql`select 1`.execute(db).then(
      () => up.set(1),
      (err: unknown) => {
        log.warn({ err }, 'the figures of the database could not be read')
        up.set(0)
      },
    ),
  )
  const failed = (err: unknown) => {
    // an outage is told above
    if (!isDatabaseAway(err)) log.warn({ err }, 'a figure of the database could not be read')
  }
  for (const { name, help, labels, rows } of figuresOf(names)) {
    const figure = gauge(name, help, labels, async () => {
      const result = await rows(clock.now()).execute(db).catch(failed)
      if (!result) return
      figure.reset()
      for (const { value, ...own } of result.rows)
        if (typeof value === 'number')
          figure.set(Object.fromEntries(Object.entries(own).map(([label, text]) => [label, String(text)])), value)
    })
  }

  function gauge(name: string, help: string, labelNames: readonly string[], collect?: () => Promise<void>): Gauge {
    return new Gauge({
      name: `valuation_${name}`,
      help,
      labelNames,
      registers: [registry],
      ...(collect && { collect }),
    })
  }
}
