/** A server whose clock, market and models are the same in every run, with pages at the same time. */
import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { marketAt, marketFolder } from '../../server/test/prepared'
import { marketComputed } from '../fakes/market'
import { startServer, type TestServer } from '../fakes/server'

/** The market's day, and the time at which the server begins: 10 in the morning in China. */
const DAY = Date.UTC(2026, 9, 20)
const START = DAY + 2 * 3_600_000

const CLOCK = path.join(__dirname, 'shifted-clock.cjs')

export interface FixedTime {
  server: TestServer
  /** sets the clock of a context's pages */
  shift(context: BrowserContext): Promise<void>
  /** ends the server and puts this process's clock right again */
  end(): Promise<void>
}

/** Starts the server, and sets this process's clock: calls are signed with the time. */
export async function startAtFixedTime(): Promise<FixedTime> {
  const now = Date.now
  const shift = START - now()
  const dataDir = marketFolder(await marketAt(DAY))
  const env = {
    NODE_OPTIONS: `--require ${CLOCK}`,
    CLOCK_SHIFT_MS: String(shift),
    AI_FREE_PER_DAY: '50',
    DEMO_APPRAISER: '0',
  }
  const server = await startServer({ dataDir, env })
  Date.now = () => now() + shift
  const end = async () => {
    Date.now = now
    await server.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
  await marketComputed(server)
  return {
    server,
    shift: async (context) => {
      await context.addInitScript(`${readFileSync(CLOCK, 'utf8')}; shiftClock(${shift})`)
    },
    end,
  }
}
