import { NetFailure, type NetworkCode, networkCode, parseBody, type Running, type Transport } from './port'

/**
 * Own time-out and abort around `work`: the time-out covers the body too (spec §9: request and socket), and a
 * time-out can be told from an abort, which a bare AbortController cannot.
 */
function run<T>(timeoutMs: number, code: NetworkCode, work: (signal: AbortSignal) => Promise<T>): Running<T> {
  const controller = new AbortController()
  let why: NetFailure | undefined
  const stop = (failure: NetFailure) => {
    why ??= failure
    controller.abort()
  }
  const timer = setTimeout(() => stop(new NetFailure(networkCode.failure)), timeoutMs)
  const done = work(controller.signal)
    .catch(() => {
      throw why ?? new NetFailure(code)
    })
    .finally(() => clearTimeout(timer))
  return { done, abort: () => stop(new NetFailure(networkCode.aborted)) }
}

async function read(r: Response) {
  const headers: Record<string, string> = {}
  r.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = value
  })
  return { status: r.status, headers, data: parseBody(await r.text()) }
}

export const transport: Transport = {
  request: ({ method, url, headers, body, timeoutMs }) =>
    run(timeoutMs, networkCode.failure, async (signal) =>
      read(await fetch(url, { method, headers, body, signal, credentials: 'omit', cache: 'no-store' })),
    ),
  upload: ({ url, file, name, fields, headers, timeoutMs }) =>
    run(timeoutMs, networkCode.transfer, async (signal) => {
      const form = new FormData()
      for (const [key, value] of Object.entries(fields)) form.append(key, value)
      form.append(name, await (await fetch(file, { signal })).blob(), 'file')
      return read(await fetch(url, { method: 'POST', headers, body: form, signal, credentials: 'omit' }))
    }),
  download: ({ url, headers, timeoutMs }) =>
    run(timeoutMs, networkCode.transfer, async (signal) => {
      const r = await fetch(url, { headers, signal, credentials: 'omit' })
      return { status: r.status, file: URL.createObjectURL(await r.blob()) }
    }),
}
