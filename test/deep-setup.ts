/** jest's globalSetup of the deep tier: its files are server tests as well as journeys. */
import prepareServerTests from '../server/test/global-setup'
import startShared from './e2e/shared-setup'

export default async function setup(config: { maxWorkers: number }): Promise<void> {
  // the project `server`, where it runs beside this one, has made them already
  if (!globalThis.testCluster) await prepareServerTests()
  await startShared(config)
}
