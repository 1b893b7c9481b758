/** Load for measuring overload: clients that, unlike autocannon's, wait after a refusal. */
import { Agent, request } from 'node:http'

/** ms: an impatient client, a tenth of Retry-After */
const PAUSE = 200

export interface Load {
  /** of as many processes; clients are spread evenly */
  urls: readonly string[]
  path: string
  headers: Record<string, string>
  seconds: number
}

export interface LoadResult {
  perSecond: number
  /** ms of accepted calls */
  p50: number
  p99: number
  refused: number
  /** answers that are neither accepted nor refused */
  others: number
}

const quantile = (sorted: readonly number[], q: number) =>
  Math.round(sorted[Math.floor(sorted.length * q)] ?? Number.POSITIVE_INFINITY)

/** `clients` clients that send the next request after each answer. */
export async function loadFrom(clients: number, { urls, path, headers, seconds }: Load): Promise<LoadResult> {
  const accepted: number[] = []
  let [refused, others] = [0, 0]
  const agent = new Agent({ keepAlive: true, maxSockets: clients })
  const end = performance.now() + seconds * 1000
  const statusFrom = (url: string) =>
    new Promise<number>((resolve, reject) => {
      const sent = request(url + path, { agent, headers }, (answer) => {
        answer.resume()
        answer.once('end', () => resolve(answer.statusCode ?? 0))
      })
      sent.once('error', reject)
      sent.end()
    })
  const client = async (_: unknown, n: number) => {
    const url = urls[n % urls.length] ?? ''
    while (performance.now() < end) {
      const started = performance.now()
      const status = await statusFrom(url)
      if (status === 200) accepted.push(performance.now() - started)
      else if (status === 406) {
        refused += 1
        await new Promise((resolve) => setTimeout(resolve, PAUSE))
      } else others += 1
    }
  }
  await Promise.all(Array.from({ length: clients }, client))
  agent.destroy()
  accepted.sort((a, b) => a - b)
  const perSecond = Math.round(accepted.length / seconds)
  return { perSecond, p50: quantile(accepted, 0.5), p99: quantile(accepted, 0.99), refused, others }
}
