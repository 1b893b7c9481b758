export default function teardown(): void {
  globalThis.testCluster?.stop()
  globalThis.testCluster = undefined
}
