/** Servers are killed at random moments while users order, pay and cancel. */
import { pause } from './client'
import type { Engine } from './report'
import { engine, expectConsistent, type System, startSystem } from './system'

jest.setTimeout(600_000)

const kills: { readonly [E in Engine]: number } = { PostgreSQL: 20, embedded: 17 }

let system: System
beforeAll(async () => {
  system = await startSystem()
})
afterAll(() => system.remove())

/** Kills a server during its work; the supervisor restarts it. */
async function killOnce({ client, servers }: System) {
  const enough = client.answered() + 5 + Math.random() * 35
  while (client.answered() < enough) await pause(10)
  await servers.killOldest()
}

test(`${engine}: ${kills[engine]} kills under load`, async () => {
  const result = await system.runUnderFault(`kill -9 × ${kills[engine]}`, async () => {
    for (let i = 0; i < kills[engine]; i += 1) await killOnce(system)
  })
  expectConsistent(result)
})
