/** A wrong machine clock, and many orders that become late at once. */
import path from 'node:path'
import { openDatabase } from '../../db/database'
import { pause } from './client'
import type { FaultCluster } from './cluster'
import type { Engine } from './report'
import { engine, expectConsistent, type System, startSystem, web, worker } from './system'

jest.setTimeout(600_000)

const HOUR = 3_600_000
/** limit of automatic refunds per hour in this suite */
const LIMIT = 3
/** payments before the fault, so that more refunds are due than the limit allows */
const PAID = 20
const lowLimit = { REFUND_BRAKE_COUNT: String(LIMIT) }
/** ms in which every server polls for due work more than once */
const ROUNDS = 13_000

const ahead = (hours: number) => ({
  NODE_OPTIONS: `--import=${path.join(__dirname, '../clock-ahead.mjs')}`,
  CLOCK_AHEAD_MS: String(hours * HOUR),
})

let system: System
afterEach(() => system.remove())

async function untilPaid({ payments }: System): Promise<void> {
  while (payments.acknowledged.size < PAID) await pause(100)
}

/** Makes the delivery of all paid orders due at `at`; they are refunded 24 hours later. @returns how many */
async function setDue({ query }: FaultCluster, at: number): Promise<number> {
  const { rowCount } = await query(`update orders set due_at = $1::bigint where status = 'PAID'`, [at])
  return rowCount ?? 0
}

/** Order transitions caused by time limits, counted by resulting status. */
async function decidedByTime({ query }: FaultCluster): Promise<unknown[]> {
  const { rows } = await query(`select to_status, count(*)::int as n from order_events
    where actor = 'system' and to_status in ('CLOSED', 'EXPIRED', 'REFUNDING', 'DONE') group by 1 order by 1`)
  return rows
}

async function oneMachineAhead() {
  system = await startSystem({ each: [web, { ...web, ...ahead(31) }, worker, { ...worker, ...ahead(31) }] })
  const { cluster } = system
  let paid = 0
  let decided: unknown[] = []
  const result = await system.runUnderFault('a clock 31 h ahead', async () => {
    await untilPaid(system)
    // refunded in 25 h, at whatever time this suite runs
    paid = await setDue(cluster, Date.now() + HOUR)
    await pause(ROUNDS)
    decided = await decidedByTime(cluster)
  })
  expect(paid).toBeGreaterThan(5)
  expect(decided).toEqual([])
  expectConsistent(result)
}

async function allLate() {
  system = await startSystem({ env: lowLimit })
  const { cluster, servers } = system
  let late = 0
  let decided: unknown[] = []
  const result = await system.runUnderFault('all orders late', async () => {
    await untilPaid(system)
    late = await setDue(cluster, Date.now() - 48 * HOUR)
    while ((await decidedByTime(cluster)).length === 0) await pause(200)
    await pause(ROUNDS)
    decided = await decidedByTime(cluster)
  })
  expect(late).toBeGreaterThan(LIMIT)
  expect(decided).toEqual([{ to_status: 'REFUNDING', n: LIMIT }])
  expect(servers.output()).toMatch(/"alarm":true.*automatic refunds are held back/)
  expectConsistent(result)
}

/** With no other clock than the wrong one, its refunds are limited and consistent. */
async function onlyMachineAhead() {
  const clock: Record<string, string> = {}
  system = await startSystem({ env: lowLimit, each: [clock] })
  const { servers, where } = system
  const result = await system.runUnderFault('a clock 48 h ahead', async () => {
    await untilPaid(system)
    Object.assign(clock, ahead(48))
    await servers.killOldest()
    await servers.ready()
    await pause(ROUNDS)
    for (const name of Object.keys(clock)) delete clock[name]
    await servers.killOldest()
    await servers.ready()
  })
  const { db, close } = await openDatabase(where)
  const refunds = await db
    .selectFrom('order_events')
    .select('id')
    .where('actor', '=', 'system')
    .where('to_status', '=', 'REFUNDING')
    .execute()
    .finally(close)
  expect(refunds).toHaveLength(LIMIT)
  expect(servers.output()).toMatch(/"alarm":true.*automatic refunds are held back/)
  expectConsistent(result)
}

const cases: { readonly [E in Engine]: readonly [string, () => Promise<void>][] } = {
  PostgreSQL: [
    ['one of two machines is 31 hours ahead: nothing is refunded or expires that is not due', oneMachineAhead],
    ['many orders are late at once: the limit lets through so many refunds an hour', allLate],
  ],
  embedded: [['the machine is two days ahead for a while: the limit holds', onlyMachineAhead]],
}

test.each(cases[engine])(`${engine}: %s`, (_, run) => run())
