import { buildBundle } from './bundle'
import type { Cluster } from './postgres'
import { onPostgres, prepareDatabases } from './prepared'
import { removeLeftovers } from './temp'

declare global {
  /** the PostgreSQL of this run, for global-teardown.ts */
  var testCluster: Cluster | undefined
}

/** Before the first file of a run: compiles the server, and prepares the databases to copy, in one PostgreSQL for all. */
export default (): Promise<void> => prepareRun(onPostgres)

/** The same, with embedded databases only for runs that use no others. */
export async function prepareRun(withPostgres: boolean): Promise<void> {
  removeLeftovers()
  await buildBundle()
  globalThis.testCluster = await prepareDatabases(withPostgres)
}
