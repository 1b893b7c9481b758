/**
 * Starts measuring the processor time of this process, including threads; unlike wall time it does not depend on the
 * load of the machine.
 * @returns ms so far
 */
export function processorTime(): () => number {
  const start = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  }
}
