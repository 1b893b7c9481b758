import stopServerTests from '../../server/test/global-teardown'

/** jest's globalTeardown: ends what the shared-setup of e2e and weapp has started. */
export default async function stopShared() {
  await Promise.all((globalThis.sharedEnds ?? []).map((end) => end()))
  globalThis.sharedEnds = undefined
  stopServerTests()
}
