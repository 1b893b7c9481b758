import { type Kysely, sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { DAY_MS } from '@/contract/time'
import type { DB, Payments } from '../../db/tables'
import { MIN_TESTED } from '../../domains/models/backtests'
import type { Clock } from '../clock'
import type { Logger } from '../log'

/** ms for which figures are kept: every scraper gets them, the database is asked once */
const FRESH_FOR = 30_000

const PAYMENT_STATUSES: readonly Payments['status'][] = ['CREATED', 'FAILED', 'CLOSING', 'CLOSED', 'PAID']

interface Options {
  /** names of the jobs of this release: those of others would never succeed again */
  jobs: readonly string[]
  db: Kysely<DB>
  clock: Clock
  log: Logger
}

/**
 * Figures that only the database knows: payments and refunds by state, overdue refund requests, success and failing
 * rows of jobs, age and accuracy of models. Registered in processes that run jobs, so that they are asked for once.
 * While the database is away the last figures stay.
 */
export function registerDatabaseGauges(registry: Registry, { db, clock, log, jobs }: Options): void {
  let last: { until: number; done: Promise<void> } | undefined
  // every gauge waits for the same reading, because they are printed independently of each other
  const collect = (): Promise<void> => {
    if (!last || last.until < performance.now())
      last = {
        until: performance.now() + FRESH_FOR,
        done: read().then(
          () => up.set(1),
          (err: unknown) => {
            log.warn({ err }, 'the figures of the database could not be read')
            up.set(0)
          },
        ),
      }
    return last.done
  }
  const gauge = <L extends string>(name: string, help: string, labelNames: readonly L[]) =>
    new Gauge({ name: `valuation_${name}`, help, labelNames, registers: [registry], collect })

  const up = gauge(
    'database_up',
    '1 if the figures of the database could be read, 0 while they are those of before',
    [],
  )
  const payments = gauge('payments', 'Payments of the last 24 hours by provider and status', ['provider', 'status'])
  const refunds = gauge('refunds_open', 'Refunds that have not arrived yet, by status', ['status'])
  const undecided = gauge('refund_requests_overdue', 'Refund requests that staff have not decided in time', [])
  const failures = gauge('job_failed_rows', 'Rows on which a job failed, by state (retrying, quarantined)', [
    'job',
    'state',
  ])
  const succeeded = gauge(
    'job_last_success_timestamp_seconds',
    'When a job last ended without an error, in any process; its age is time() minus this',
    ['job'],
  )
  const screenshots = gauge('screenshots_wait_seconds', 'How long the first screenshots in the queue have waited', [])
  const asked = gauge(
    'screenshots_asked_ratio',
    'Share of the answers read from screenshots in the last 24 hours that are asked',
    [],
  )
  const processor = gauge('screenshots_cpu_seconds', 'Processor seconds that screenshots of the last 24 hours took', [])
  const trained = gauge(
    'model_trained_timestamp_seconds',
    'When the active model of a game was trained; its age is time() minus this',
    ['game'],
  )
  const error = gauge('model_median_error_ratio', 'Median error of the newest back-test of a game, 0.1 = 10 %', [
    'game',
  ])
  const drift = gauge(
    'model_drift_ratio',
    'Median error of the active model on sales since its training, divided by that of its back-test',
    ['game'],
  )
  const coverage = gauge('model_coverage_ratio', 'Share of these sales within the range of 80 %', ['game'])
  const unknown = gauge('model_unknown_ratio', 'Share of their items and options that the model does not know', [
    'game',
  ])
  const stability = gauge('model_stability_index', 'Population stability index of their prices', ['game'])
  const watched = [drift, coverage, unknown, stability]
  const reading = [screenshots, asked, processor]
  const gauges = [payments, refunds, undecided, failures, succeeded, ...reading, trained, error, ...watched]

  async function read() {
    const paid = await db
      .selectFrom('payments')
      .select(['provider', 'status', (eb) => eb.fn.countAll<number>().as('n')])
      .where('created_at', '>', clock.now() - DAY_MS)
      .groupBy(['provider', 'status'])
      .execute()
    const unfinished = await db
      .selectFrom('refunds')
      .select(['status', (eb) => eb.fn.countAll<number>().as('n')])
      .where('next_at', 'is not', null)
      .groupBy('status')
      .execute()
    const requests = await db
      .selectFrom('orders')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('status', '=', 'REFUNDING')
      .where('refund_due_at', '<=', clock.now())
      .executeTakeFirstOrThrow()
    const failed = await db
      .selectFrom('job_failures')
      .select(['job', sql<boolean>`quarantined_at is not null`.as('quarantined')])
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .groupBy(['job', 'quarantined'])
      .execute()
    const runs = await db.selectFrom('job_runs').select(['name', 'succeeded_at']).where('name', 'in', jobs).execute()
    const shots = await sql<{ wait: number; asked: number; seconds: number }>`select
        coalesce((${clock.now()} - min(created_at) filter (where status in ('WAITING', 'READING'))) / 1000.0, 0)::float8 as wait,
        coalesce(sum(jsonb_array_length(result->'ask'))::float8
          / nullif(sum((select count(*) from jsonb_object_keys(result->'answers'))), 0), 0)::float8 as asked,
        coalesce(sum(processor_ms) / 1000.0, 0)::float8 as seconds
      from screenshot_tasks where created_at > ${clock.now() - DAY_MS}`.execute(db)
    const models = await db
      .selectFrom('models')
      .select([
        'game_id',
        'trained_at',
        'synthetic',
        sql<number | null>`(accuracy->>'medianError')::float8`.as('median'),
      ])
      .where('active', '=', true)
      .execute()
    const watches = await db
      .selectFrom('model_monitoring as w')
      .innerJoin('models as m', (join) => join.onRef('m.id', '=', 'w.model_id').on('m.active', '=', true))
      .distinctOn('w.game_id')
      .selectAll('w')
      .orderBy('w.game_id')
      .orderBy('w.day', 'desc')
      .execute()
    for (const gauge of gauges) gauge.reset()
    // a status without payments is 0 too: to be compared with another one it needs a value
    for (const { provider } of paid) for (const status of PAYMENT_STATUSES) payments.set({ provider, status }, 0)
    for (const { provider, status, n } of paid) payments.set({ provider, status }, n)
    for (const { status, n } of unfinished) refunds.set({ status }, n)
    undecided.set(requests.n)
    for (const { job, quarantined, n } of failed)
      failures.set({ job, state: quarantined ? 'quarantined' : 'retrying' }, n)
    for (const { name: job, succeeded_at } of runs) succeeded.set({ job }, succeeded_at / 1000)
    for (const { wait, asked: share, seconds } of shots.rows) {
      screenshots.set(wait)
      asked.set(share)
      processor.set(seconds)
    }
    for (const { game_id: game, trained_at } of models) trained.set({ game }, trained_at / 1000)
    for (const { game_id: game, median } of models) if (median !== null) error.set({ game }, median)
    for (const { game_id: game, ...found } of watches) {
      // figures of a few sales say nothing
      if (found.n < MIN_TESTED) continue
      // the watch measures real sales, so a test of generated ones is no measure, nor is one of the model before
      const tested = models.find((m) => m.game_id === game && !m.synthetic)
      if (tested?.median) drift.set({ game }, found.median_error / tested.median)
      coverage.set({ game }, found.coverage)
      unknown.set({ game }, found.unknown_share)
      stability.set({ game }, found.stability)
    }
  }
}
