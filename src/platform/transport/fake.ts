import { NetFailure, networkCode, type Outgoing, type Running, type Transport, type TransportResponse } from './port'

/** One request as the server would see it, with the means to answer it. */
export interface CapturedRequest extends Outgoing {
  reply(status: number, data: unknown, headers?: Record<string, string>): void
  fail(error: NetFailure): void
}

/**
 * Catches every request. With `answer` it replies on its own; without, the test replies through `caught`.
 * `answer` may return a promise, or throw NetFailure.
 */
export function fakeTransport(answer?: (o: Outgoing) => TransportResponse | Promise<TransportResponse>) {
  const caught: CapturedRequest[] = []
  const aborted: Outgoing[] = []
  const request = (o: Outgoing): Running<TransportResponse> => {
    let reject: (e: NetFailure) => void = () => undefined
    const done = new Promise<TransportResponse>((resolve, refuse) => {
      reject = refuse
      caught.push({ ...o, fail: refuse, reply: (status, data, headers = {}) => resolve({ status, data, headers }) })
      if (answer) Promise.resolve(o).then(answer).then(resolve, refuse)
    })
    return {
      done,
      abort() {
        aborted.push(o)
        reject(new NetFailure(networkCode.aborted))
      },
    }
  }
  const transport: Transport = {
    request,
    upload: (o) => request({ ...o, method: 'POST' }),
    download: (o) => {
      const running = request({ ...o, method: 'GET' })
      return { ...running, done: running.done.then((r) => ({ status: r.status, file: 'blob:fake' })) }
    },
  }
  return { transport, caught, aborted }
}
