/** `wx.request` over real HTTP: the driver in Node does it, so no browser rule interferes. */
import type { HttpAnswer } from '../host'
import { active, during, phone } from '../state'
import { type Api, answer, calls, event, Refused } from './call'

const DEFAULT_TIMEOUT_MS = 60_000

interface RequestOptions {
  url: string
  method?: string
  data?: unknown
  header?: Record<string, string>
  timeout?: number
  dataType?: string
}

let nextId = 1

/** Checks that the origin of a call is allowed. */
export function target(url: unknown): URL {
  if (typeof url !== 'string' || !/^https?:\/\//.test(url)) throw new Refused('invalid url', 600009)
  const parsed = new URL(url)
  if (!phone.domains.includes(parsed.origin)) throw new Refused('url not in domain list', 600002)
  return parsed
}

const asText = (value: unknown) => (typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value))

/** GET data goes into the query; other data is the body: text as it is, objects by content type. */
function prepare({ url, method = 'GET', data, header = {} }: RequestOptions) {
  const to = target(url)
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  for (const [name, value] of Object.entries(header)) headers[name.toLowerCase()] = String(value)
  if (headers.referer !== undefined) throw new Refused('header referer is not allowed')
  if (method === 'GET' && typeof data === 'object' && data !== null) {
    for (const [key, value] of Object.entries(data)) to.searchParams.append(key, asText(value))
    return { url: to.href, method, headers, body: undefined }
  }
  if (method === 'GET' || data === undefined) return { url: to.href, method, headers, body: undefined }
  const form = headers['content-type']?.includes('x-www-form-urlencoded') && typeof data === 'object'
  const body = form ? new URLSearchParams(data as Record<string, string>).toString() : asText(data)
  return { url: to.href, method, headers, body }
}

const reasons: Record<string, [string, number]> = {
  timeout: ['timeout', 5],
  abort: ['abort', 600003],
  network: ['', 600001],
}

export function requireOnline() {
  if (!phone.online) throw new Refused('net::ERR_INTERNET_DISCONNECTED', 600001)
}

export function reply(result: HttpAnswer, dataType: string) {
  if (!result.ok) {
    const [reason, errno] = reasons[result.reason] ?? ['', 600001]
    throw new Refused(reason || result.text, errno)
  }
  return { statusCode: result.status, header: result.headers, data: parse(result.text, dataType), cookies: [] }
}

function parse(text: string, dataType: string): unknown {
  if (dataType !== 'json') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

async function send(id: number, options: RequestOptions) {
  const prepared = prepare(options)
  requireOnline()
  const timeoutMs = options.timeout ?? DEFAULT_TIMEOUT_MS
  return reply(await window.hostHttp({ id, timeoutMs, ...prepared }), options.dataType ?? 'json')
}

function request(options: RequestOptions) {
  const id = nextId++
  const answered = Promise.resolve().then(() => send(id, options))
  // the server holds the answer of a long poll back on purpose
  const work = /[?&]wait=true(&|$)/.test(options.url) ? answered.finally(active) : during(answered)
  void answer('request', { complete: () => undefined, ...options }, work)
  return {
    abort: () => void window.hostAbort(id),
    onHeadersReceived: () => undefined,
    offHeadersReceived: () => undefined,
  }
}

const networkType = () => ({ networkType: phone.online ? 'wifi' : 'none', isConnected: phone.online })
const change = event<{ isConnected: boolean; networkType: string }>('NetworkStatusChange')
export const networkChanged = () => change.fire(networkType())

export const networkApi: Record<string, Api> = {
  ...calls({ getNetworkType: networkType }),
  ...change.api,
  request: request as Api,
}
