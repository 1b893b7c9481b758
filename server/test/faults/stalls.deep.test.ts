/** The database, or the machine, freezes under load and resumes. */
import { pause } from './client'
import type { Engine } from './report'
import { engine, expectConsistent, type System, startSystem } from './system'

jest.setTimeout(600_000)

interface Stall {
  fault: string
  /** whether /readyz must fail */
  unready: boolean
  /** connects through a network that can fail */
  proxied?: boolean
  cause(system: System): Promise<void>
}

const suspended = (seconds: number): Stall => ({
  fault: `SIGSTOP ${seconds} s`,
  unready: true,
  async cause({ cluster }) {
    cluster.suspend()
    await pause(seconds * 1000)
    cluster.resume()
  },
})

const lockedTable: Stall = {
  fault: 'orders locked 65 s',
  unready: false,
  cause: ({ cluster }) => cluster.lockTable('orders', 65_000),
}

const lostAnswers: Stall = {
  fault: 'answers lost 30 s',
  unready: true,
  proxied: true,
  async cause({ proxy }) {
    proxy?.loseAnswers()
    await pause(30_000)
    proxy?.heal()
  },
}

const suspendedServer: Stall = {
  fault: 'SIGSTOP of the server 15 s',
  unready: false,
  async cause({ servers }) {
    const pids = servers.pids()
    for (const pid of pids) process.kill(pid, 'SIGSTOP')
    await pause(15_000)
    for (const pid of pids) process.kill(pid, 'SIGCONT')
  },
}

const stalls: { readonly [E in Engine]: readonly Stall[] } = {
  PostgreSQL: [suspended(15), suspended(70), lockedTable, lostAnswers],
  embedded: [suspendedServer],
}

let system: System
afterEach(() => system.remove())

test.each(stalls[engine])(`${engine}: $fault under load`, async ({ fault, unready, proxied = false, cause }) => {
  system = await startSystem({ proxied })
  const result = await system.runUnderFault(fault, () => cause(system))
  expectConsistent(result)
  if (unready) expect(result.health.readyz).toHaveProperty('503')
})
