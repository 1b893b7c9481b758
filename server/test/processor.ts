/**
 * Starts counting the processor time of this process, its threads included: unlike time on the clock it says what work
 * costs however busy the machine is.
 * @returns ms so far
 */
export function processorTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
}
