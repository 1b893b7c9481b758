import { buildBundle } from './bundle'
import type { Cluster } from './postgres'
import { prepareDatabases } from './prepared'
import { removeLeftovers } from './temp'

declare global {
  /** the PostgreSQL of this run, for global-teardown.ts */
  var testCluster: Cluster | undefined
}

/** Before the first file of a run: compiles the server, prepares the databases to copy, starts one PostgreSQL for all. */
export default async function setup(): Promise<void> {
  removeLeftovers()
  await buildBundle()
  globalThis.testCluster = await prepareDatabases(process.env.TEST_DATABASE === 'postgres')
}
