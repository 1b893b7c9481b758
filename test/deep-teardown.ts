/** jest's globalTeardown of the deep tier. */
import stopServerTests from '../server/test/global-teardown'
import stopShared from './e2e/shared-teardown'

export default async function teardown(): Promise<void> {
  stopServerTests()
  await stopShared()
}
