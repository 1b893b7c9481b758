import { isJsonbSafe } from '../../db/jsonb-text'

/** characters; the value is read from a link and is untrusted */
const MAX_CHARACTERS = 64

/** The channel code of a ChannelInfo header (spec §7: percent-encoded JSON); empty when there is none. */
export function channelOf(header: string): string {
  if (header === '') return ''
  try {
    const { channelCode } = JSON.parse(decodeURIComponent(header)) as { channelCode?: unknown }
    if (typeof channelCode !== 'string' || !isJsonbSafe(channelCode)) return ''
    return [...channelCode].slice(0, MAX_CHARACTERS).join('')
  } catch {
    return ''
  }
}
