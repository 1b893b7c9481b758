import { createHash, createHmac, randomUUID } from 'node:crypto'
import { NETWORK_TIMEOUT } from '@/contract/constants'

/** A key pair of Alibaba Cloud. */
export interface AliyunKey {
  accessKeyId: string
  accessKeySecret: string
}

interface AliyunCall {
  url: string
  action: string
  version: string
  params: Record<string, string>
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

/** Percent-encoding by RFC 3986, which the signature requires: stricter than encodeURIComponent. */
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** The query string in its signed and sent form. */
export const acs3Query = (params: Record<string, string>) =>
  Object.keys(params)
    .sort()
    .map((key) => `${encode(key)}=${encode(params[key] ?? '')}`)
    .join('&')

/** Headers of ACS3-HMAC-SHA256, as published, for a POST without a body. */
export function acs3(
  { accessKeyId, accessKeySecret }: AliyunKey,
  signed: { host: string; action: string; version: string; date: string; nonce: string; query: string },
): Record<string, string> {
  const headers: Record<string, string> = {
    host: signed.host,
    'x-acs-action': signed.action,
    'x-acs-content-sha256': sha256(''),
    'x-acs-date': signed.date,
    'x-acs-signature-nonce': signed.nonce,
    'x-acs-version': signed.version,
  }
  const names = Object.keys(headers).sort().join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = `POST\n/\n${signed.query}\n${lines.join('')}\n${names}\n${headers['x-acs-content-sha256']}`
  const signature = createHmac('sha256', accessKeySecret)
    .update(`ACS3-HMAC-SHA256\n${sha256(canonical)}`)
    .digest('hex')
  return {
    ...headers,
    authorization: `ACS3-HMAC-SHA256 Credential=${accessKeyId},SignedHeaders=${names},Signature=${signature}`,
  }
}

/**
 * One signed call.
 * @param now real time in ms: Alibaba Cloud rejects signatures that are off by fifteen minutes
 * @throws Error if the service cannot be reached; its message contains none of the parameters
 */
export async function callAliyun<T>(
  key: AliyunKey,
  { url, action, version, params }: AliyunCall,
  now: () => number,
): Promise<T & { Code?: string }> {
  const query = acs3Query(params)
  const date = `${new Date(now()).toISOString().slice(0, 19)}Z`
  const { host: _ours, ...headers } = acs3(key, {
    host: new URL(url).host,
    action,
    version,
    date,
    nonce: randomUUID(),
    query,
  })
  const response = await fetch(`${url}/?${query}`, {
    method: 'POST',
    headers,
    signal: AbortSignal.timeout(NETWORK_TIMEOUT / 6),
  }).catch((e: Error) => {
    throw new Error(`aliyun ${action}: ${e.name}`)
  })
  // a rejected call is 400 with its code in the body
  if (response.status >= 500) throw new Error(`aliyun ${action}: HTTP ${response.status}`)
  return (await response.json()) as T & { Code?: string }
}
