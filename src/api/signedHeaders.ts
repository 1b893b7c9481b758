import { APP_VERSION, SIGN_RANDOM_DIGITS } from '@/contract/constants'
import { sign } from '@/contract/sign'
import type { ApiDeps, Credentials } from './deps'
import type { PreparedRequest } from './prepareRequest'

/** Percent-encoded JSON of what is set, because header values are ASCII; undefined when nothing is. */
function channelInfo({ channelCode, bd_vid, reportUnlockRecordId }: Credentials): string | undefined {
  const info = { channelCode, bd_vid, report_unlock_record_id: reportUnlockRecordId }
  const text = JSON.stringify(info)
  return text === '{}' ? undefined : encodeURIComponent(text)
}

/** Headers of spec §7. `offsetMs` is how far the server's clock is ahead of ours. */
export function signedHeaders(p: PreparedRequest, deps: ApiDeps, offsetMs: number): Record<string, string> {
  const timestamp = String(deps.now() + offsetMs)
  const random = String(Math.floor(deps.random() * 10 ** SIGN_RANDOM_DIGITS)).padStart(SIGN_RANDOM_DIGITS, '0')
  const who = deps.credentials()
  const channel = channelInfo(who)
  return {
    'content-type': 'application/json',
    version: APP_VERSION,
    platform: deps.device.platform,
    os: deps.device.os(),
    timestamp,
    random,
    sign: sign({ canonical: p.canonical, timestamp, random, secret: deps.secret }),
    ...(who.token ? { Token: who.token } : {}),
    ...(who.userId ? { userId: who.userId } : {}),
    ...(channel ? { ChannelInfo: channel } : {}),
  }
}
