/** Shared by all files of a run of e2e and weapp-run: a browser, and a server for each worker of jest. */
import { prepareRun } from '../../server/test/global-setup'
import { startServer } from '../fakes/server'
import { serversVariable, sharedSettings } from '../fakes/shared'
import { launchShared } from './browser'

export interface Run {
  maxWorkers: number
}

declare global {
  /** what shared-teardown.ts ends */
  var sharedEnds: (() => Promise<unknown>)[] | undefined
}

/** Registers `end` to be called after the run. */
export function stopLater(end: () => Promise<unknown>) {
  globalThis.sharedEnds = [...(globalThis.sharedEnds ?? []), end]
}

/** jest's globalSetup: leaves addresses in the environment of the workers. */
export default async function startShared({ maxWorkers }: Run) {
  // the project `server` has made them already if it is part of this run
  if (!process.env.PREPARED) await prepareRun(false)
  const [browser, ...servers] = await Promise.all([
    launchShared(),
    ...Array.from({ length: maxWorkers }, () => startServer({ env: sharedSettings })),
  ])
  process.env.SHARED_BROWSER = browser.wsEndpoint()
  process.env[serversVariable] = JSON.stringify(
    servers.map(({ port, dataDir, logFile }) => ({ port, dataDir, logFile })),
  )
  for (const { stop } of servers) stopLater(stop)
  stopLater(() => browser.close())
}
