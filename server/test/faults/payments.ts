/** The provider's side of the load: payments, and which of them our servers acknowledged. */
import type { WechatStub } from '../pay/wechat-stub'
import { type Client, failureOf, pause } from './client'

/** ms WeChat Pay waits for the answer to a notification before it counts as not delivered */
const NOTICE_TIMEOUT = 5000
const POSTMEN = 3
/** notifications delayed until the fault begins */
const RESERVE = 16

export interface Payments {
  /** payments whose notification a server answered with HTTP 200 */
  acknowledged: Set<string>
  /** orders that a server reported to a client as paid */
  toldPaid: Set<string>
  /** How a payment is notified: once, several times, later or never. */
  announce(outTradeNo: string): void
  /** whether enough notifications are delayed for `release` */
  reserved(): boolean
  /** Sends all delayed notifications at once, so that their transactions are open when the fault begins. */
  release(urls: readonly string[]): void
  /** Delivers until `finish`, then the remaining ones. */
  deliver(urls: () => readonly string[]): Promise<void>
  finish(): void
}

const chance = (p: number) => Math.random() < p

export function createPayments(stand: WechatStub, client: Client): Payments {
  const waiting: string[] = []
  let reserve: string[] | undefined = []
  const acknowledged = new Set<string>()
  let finished = false

  async function post(url: string, outTradeNo: string): Promise<boolean> {
    const { headers, body } = stand.notice(outTradeNo)
    const started = performance.now()
    try {
      const signal = AbortSignal.timeout(NOTICE_TIMEOUT)
      const { status } = await fetch(`${url}/pay/notify/wechat`, { method: 'POST', headers, body, signal })
      client.note(started, status >= 500 ? String(status) : undefined)
      if (status === 200) acknowledged.add(outTradeNo)
      return status === 200
    } catch (error) {
      const failure = failureOf(error)
      // a provider has a short timeout; only exceeding the app's timeout counts as a hanging request
      client.note(started, failure === 'timeout' ? 'notice' : failure)
      return false
    }
  }

  /** Sends to every server at once, so that they contend for the same rows. */
  async function deliverOne(urls: readonly string[], outTradeNo: string) {
    const taken = await Promise.all(urls.map((url) => post(url, outTradeNo)))
    if (taken.some(Boolean)) return
    waiting.push(outTradeNo)
    await pause(200)
  }

  async function postman(urls: () => readonly string[]) {
    while (!finished || waiting.length > 0) {
      const next = waiting.shift()
      await pause(Math.random() * 30)
      if (next !== undefined) await deliverOne(urls(), next)
    }
  }

  return {
    acknowledged,
    toldPaid: new Set(),
    announce(outTradeNo) {
      if (reserve && reserve.length < RESERVE) {
        reserve.push(outTradeNo)
        return
      }
      if (chance(0.2)) return
      for (let copies = chance(0.4) ? 3 : 1; copies > 0; copies -= 1)
        waiting.splice(Math.floor(Math.random() * (waiting.length + 1)), 0, outTradeNo)
    },
    reserved: () => (reserve?.length ?? 0) >= RESERVE,
    release(urls) {
      for (const outTradeNo of reserve ?? []) void deliverOne(urls, outTradeNo)
      reserve = undefined
    },
    async deliver(urls) {
      await Promise.all(Array.from({ length: POSTMEN }, () => postman(urls)))
    },
    finish() {
      finished = true
    },
  }
}
