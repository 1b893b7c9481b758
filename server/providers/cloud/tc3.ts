/** Calls Tencent Cloud by its own library, which signs them (TC3-HMAC-SHA256) by the machine's clock. */
import { CommonClient } from 'tencentcloud-sdk-nodejs-common'
import { NETWORK_TIMEOUT } from '@/contract/constants'

const REGION = 'ap-guangzhou'

/** A service of Tencent Cloud. */
export interface TencentService {
  /** the operator's key pair */
  key: { secretId: string; secretKey: string }
  /** for example `https://sms.tencentcloudapi.com` */
  url: string
}

/** Tencent Cloud processed and rejected the call. `code` is its error code. */
export class TencentRejected extends Error {
  override name = 'TencentRejected'
  constructor(readonly code: string) {
    super(`tencent refused: ${code}`)
  }
}

/**
 * One signed call.
 * @returns `Response` of the response
 * @throws TencentRejected · Error if the service cannot be reached; neither contains any of the request, which the
 * library's own may quote
 */
export function callTencent<T>(
  { key, url }: TencentService,
  version: string,
  action: string,
  body: object,
): Promise<T> {
  const { protocol, host } = new URL(url)
  const httpProfile = { protocol: `${protocol}//`, reqTimeout: NETWORK_TIMEOUT / 6000 }
  const client = new CommonClient(host, version, { credential: key, region: REGION, profile: { httpProfile } })
  return client.request(action, body).catch(({ code, httpCode }: { code?: string; httpCode?: number }) => {
    throw code ? new TencentRejected(code) : new Error(`tencent ${action}: ${httpCode ?? 'no answer'}`)
  })
}
