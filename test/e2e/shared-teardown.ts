import stopServerTests from '../../server/test/global-teardown'

/** jest's globalTeardown: ends what shared-setup.ts has started. */
export default async function stopShared() {
  await (globalThis as { stopShared?: () => Promise<unknown> }).stopShared?.()
  stopServerTests()
}
