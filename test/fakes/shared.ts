/** The server shared by the test files of a jest worker (started by test/e2e/shared-setup.ts). */
import { type RunningServer, running } from './server'

/** Environment variable with the servers' ports and folders, as JSON. */
export const serversVariable = 'SHARED_SERVERS'

/**
 * Enough free valuations for all tests of a user; no demo appraiser that takes orders on its own; orders may be paid on
 * an iPhone, which the mini-program's harness is; users may come from any network.
 */
export const sharedSettings = { AI_FREE_PER_DAY: '50', DEMO_APPRAISER: '0', IOS_PAY: 'NORMAL', TRUST_PROXY: '1' }

/** Advances the server's clock by `ms` (0: reads it). @returns the server's time, ms */
export async function advanceClock({ url }: Pick<RunningServer, 'url'>, ms: number): Promise<number> {
  const request = () =>
    fetch(`${url}/sandbox/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs: ms }),
    })
  // the server may close an idle connection just as `fetch` reuses it
  const answer = await request().catch(request)
  if (!answer.ok) throw new Error(`clock: HTTP ${answer.status}`)
  return ((await answer.json()) as { now: number }).now
}

/** For files that neither end the server nor need settings of their own. Users are the file's own (`nextMobile`). */
export function sharedServer(): RunningServer {
  const servers = JSON.parse(process.env[serversVariable] ?? '[]') as Parameters<typeof running>[0][]
  const mine = servers[(Number(process.env.JEST_WORKER_ID ?? 1) - 1) % servers.length]
  if (!mine) throw new Error('no shared server: is shared-setup.ts the globalSetup of this jest project?')
  return running(mine)
}
