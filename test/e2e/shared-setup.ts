/** What all files of a run of e2e and weapp-run share: a browser, and a server for each worker of jest. */
import prepareServerTests from '../../server/test/global-setup'
import { startServer } from '../fakes/server'
import { serversVariable, sharedSettings } from '../fakes/shared'
import { launchShared } from './browser'

interface Run {
  maxWorkers: number
}

/** jest's globalSetup: leaves addresses in the environment of the workers, and `stopShared` for the teardown. */
export default async function startShared({ maxWorkers }: Run) {
  // the project `server`, where it runs beside this one, has made them already
  if (!process.env.PREPARED) await prepareServerTests()
  const [browser, ...servers] = await Promise.all([
    launchShared(),
    ...Array.from({ length: maxWorkers }, () => startServer({ env: sharedSettings })),
  ])
  process.env.SHARED_BROWSER = browser.wsEndpoint()
  process.env[serversVariable] = JSON.stringify(
    servers.map(({ port, dataDir, logFile }) => ({ port, dataDir, logFile })),
  )
  Object.assign(globalThis, {
    stopShared: () => Promise.all([browser.close(), ...servers.map((server) => server.stop())]),
  })
}
