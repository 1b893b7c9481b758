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

/**
 * Repeats `work` until one run takes less than `limit`: other load on the machine, the compiler and the collector can only
 * add to what it costs.
 * @returns ms of processor time of the cheapest run
 */
export async function leastProcessorTime(
  limit: number,
  work: () => unknown,
  { most = 10 }: { most?: number } = {},
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < most && least >= limit; run += 1) {
    const spent = processorTime()
    await work()
    least = Math.min(least, spent())
  }
  return least
}
