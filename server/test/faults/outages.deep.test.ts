/** The database becomes unavailable under load and recovers. */
import { pause } from './client'
import type { Engine } from './report'
import { createSmallDisk, type SmallDisk } from './small-disk'
import { engine, expectConsistent, type System, startSystem } from './system'

jest.setTimeout(600_000)

interface Outage {
  fault: string
  /** whether /readyz must fail: not for short or partial outages */
  unready: boolean
  cause(system: System, disk: SmallDisk): Promise<void>
}

const terminated: Outage = {
  fault: 'pg_terminate_backend × 20',
  unready: false,
  async cause({ cluster }) {
    for (let i = 0; i < 20; i += 1) {
      await cluster.terminateBackends()
      await pause(400)
    }
  },
}

const restarted: Outage = {
  fault: 'restart × 3',
  unready: true,
  async cause({ cluster }) {
    for (const mode of ['immediate', 'fast', 'immediate'] as const) {
      await cluster.stopServer(mode)
      await pause(3000)
      await cluster.startServer()
      await pause(2500)
    }
  },
}

/** ms without space */
const FULL = 12_000

const diskFull: Outage = {
  fault: 'disk full',
  unready: false,
  async cause({ servers, postgres }, disk) {
    const writers = () => postgres?.processes() ?? servers.pids()
    disk.fill(writers())
    await pause(FULL)
    disk.free(writers())
    // PostgreSQL may have shut down because it could not write its log: the operator restarts it
    await postgres?.startServer()
  },
}

/** The embedded database has no connections and no server, so only its disk and its process can fail. */
const outages: { readonly [E in Engine]: readonly Outage[] } = {
  PostgreSQL: [terminated, restarted, diskFull],
  embedded: [diskFull],
}

let disk: SmallDisk
let system: System

beforeEach(async () => {
  disk = createSmallDisk(256)
  system = await startSystem({ home: disk.home })
})
afterEach(async () => {
  await system.remove()
  disk.remove()
})

test.each(outages[engine])(`${engine}: $fault under load`, async ({ fault, unready, cause }) => {
  const result = await system.runUnderFault(fault, () => cause(system, disk))
  expectConsistent(result)
  if (unready) expect(result.health.readyz).toHaveProperty('503')
})
