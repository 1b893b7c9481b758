import { createHash, createHmac } from 'node:crypto'
import { fetchJson } from '../http'

const REGION = 'ap-guangzhou'

/** A key pair of Tencent Cloud. */
export interface TencentKey {
  secretId: string
  secretKey: string
}

export interface TencentCall {
  /** address of the service, for example `https://sms.tencentcloudapi.com` */
  url: string
  service: string
  action: string
  version: string
  body: object
}

/** Tencent Cloud processed and rejected the call. `code` is its error code. */
export class TencentRejected extends Error {
  override name = 'TencentRejected'
  constructor(readonly code: string) {
    super(`tencent refused: ${code}`)
  }
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

interface Signed {
  host: string
  service: string
  /** exact body */
  payload: string
  /** s */
  timestamp: number
}

/** `Authorization` of TC3-HMAC-SHA256, as published. */
export function tc3({ secretId, secretKey }: TencentKey, { host, service, payload, timestamp }: Signed): string {
  const names = 'content-type;host'
  const canonical = `POST\n/\n\ncontent-type:application/json; charset=utf-8\nhost:${host}\n\n${names}\n${sha256(payload)}`
  const day = new Date(timestamp * 1000).toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const text = `TC3-HMAC-SHA256\n${timestamp}\n${scope}\n${sha256(canonical)}`
  const key = [day, service, 'tc3_request'].reduce<string | Buffer>((k, part) => hmac(k, part), `TC3${secretKey}`)
  const signature = hmac(key, text).toString('hex')
  return `TC3-HMAC-SHA256 Credential=${secretId}/${scope}, SignedHeaders=${names}, Signature=${signature}`
}

/**
 * One signed call.
 * @param now real time in ms: Tencent Cloud rejects signatures that are off by five minutes
 * @returns `Response` of the response
 * @throws TencentRejected · Error if the service cannot be reached; neither contains any of the request body
 */
export async function callTencent<T>(key: TencentKey, call: TencentCall, now: () => number): Promise<T> {
  const { url, service, action, version } = call
  const payload = JSON.stringify(call.body)
  const timestamp = Math.floor(now() / 1000)
  const { Response } = await fetchJson<{ Response?: T & { Error?: { Code: string } } }>(
    { name: `tencent ${service}`, Unavailable: Error },
    url,
    {
      method: 'POST',
      body: payload,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        authorization: tc3(key, { host: new URL(url).host, service, payload, timestamp }),
        'x-tc-action': action,
        'x-tc-version': version,
        'x-tc-timestamp': String(timestamp),
        'x-tc-region': REGION,
      },
    },
  )
  if (!Response) throw new Error(`tencent ${service}: no Response in the body`)
  if (Response.Error) throw new TencentRejected(Response.Error.Code)
  return Response
}
