import { randomUUID } from 'node:crypto'
import { NETWORK_TIMEOUT } from '@/contract/constants'
import { manualOrderRequest } from '../pay/requests'
import { send } from '../process'
import { pause } from './client'
import type { Buyer, Prepare } from './fixture'
import { type HangingService, startHangingService } from './hanging-service'
import { engine, expectConsistent, percentile, type System, startSystem } from './system'

jest.setTimeout(600_000)

/** ms that storage and collector hang under load */
const HANGING = 25_000
/** s waited for the first refund beyond that */
const MAX_WAIT_S = 30
/**
 * tolerated increase of the 95th percentile of calls that need neither: a factor, and ms for noise; a call that is held
 * up by the services takes at least `HANGING`
 */
const SLOWER = { factor: 3, ms: 5000 }
/** status of a call whose service does not answer, or that an overloaded process refuses */
const REFUSED = [503, 406]
let service: HangingService
let system: System

beforeAll(async () => {
  service = await startHangingService()
})
afterEach(() => system.remove())

interface Held {
  what: string
  status: number
  ms: number
}

/** Concurrent calls that need the storage or the collector. */
async function heldCalls({ servers, fixture }: System): Promise<Held[]> {
  const timed = async (what: string, ask: Promise<{ status: number }>): Promise<Held> => {
    const started = performance.now()
    const { status } = await ask
    return { what, status, ms: performance.now() - started }
  }
  const both = (url: string, { token, userId }: Buyer) => {
    const picture = `u/${userId}/20260101/${randomUUID()}`
    const order = { ...manualOrderRequest(fixture.config), images: [picture] }
    return [
      timed('storage', send(url, 'evaluation', 'submitManual', order, { token })),
      timed('collector', send(url, 'evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR' }, { token })),
    ]
  }
  return Promise.all(servers.urls().flatMap((url) => fixture.buyers.flatMap((buyer) => both(url, buyer))))
}

/** Data at both services that must be deleted: the deletion job waits for them, other jobs must not. */
const prepare: Prepare = async ({ database }) => {
  const refs = Array.from({ length: 4 }, (_, n) => `hanging${n}`)
  const row = { due_at: 0 }
  await database.db
    .insertInto('deletion_outbox')
    .values(
      refs.flatMap((ref) => [
        { ...row, kind: 'READ' as const, ref },
        { ...row, kind: 'PICTURES' as const, ref },
      ]),
    )
    .execute()
}

test(`${engine}: storage and collector accept and never answer`, async () => {
  system = await startSystem({
    prepare,
    env: {
      ...{ S3_ENDPOINT: service.url, S3_BUCKET: 'pictures', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
      ...{ COLLECTOR_URL: service.url, COLLECTOR_SECRET: 'a-secret-of-the-collector' },
    },
  })
  const { client, servers, stand } = system
  let held: Held[] = []
  let usual: number[] = []
  let others: number[] = []
  let allReady = false
  let refunds = 0
  const result = await system.runUnderFault('S3 and collector hang', async () => {
    usual = [...client.outcomes.durations]
    const calls = heldCalls(system)
    await pause(HANGING / 2)
    const before = stand.refunds.size
    await pause(HANGING / 2)
    // on a busy machine the job of the refunds comes late, but it must come while the services hang
    for (let i = 0; i < MAX_WAIT_S && stand.refunds.size === before; i += 1) await pause(1000)
    refunds = stand.refunds.size - before
    others = client.outcomes.durations.slice(usual.length)
    // a process may be too busy to say so at once
    for (let i = 0; i < MAX_WAIT_S && !allReady; i += 1) {
      const answers = await Promise.all(servers.urls().map((url) => fetch(`${url}/readyz`)))
      allReady = answers.every(({ status }) => status === 200)
      if (!allReady) await pause(1000)
    }
    held = await calls
    // counted at the end, so that they are not among the calls that must stay fast
    for (const { status, ms } of held) client.note(performance.now() - ms, status >= 500 ? String(status) : undefined)
    // the services are shut down now, so requests fail at once
    await service.close()
  })
  expectConsistent(result)
  expect(service.connections()).toBeGreaterThan(0)
  expect(held.filter(({ ms }) => ms > NETWORK_TIMEOUT)).toEqual([])
  expect(held.filter(({ what, status }) => what === 'storage' && !REFUSED.includes(status))).toEqual([])
  expect(held.filter(({ what, status }) => what === 'collector' && ![200, ...REFUSED].includes(status))).toEqual([])
  expect(percentile(others, 0.95)).toBeLessThan(SLOWER.factor * percentile(usual, 0.95) + SLOWER.ms)
  expect(refunds).toBeGreaterThan(0)
  // neither is needed for taking orders and money; the embedded database's one connection may be too busy to say so
  if (engine === 'PostgreSQL') expect(allReady).toBe(true)
})
