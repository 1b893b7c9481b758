export default function teardown(): void {
  globalThis.testCluster?.stop()
}
