/**
 * A mini-program code carries one parameter, WeChat's `scene`, of at most 32 plain characters. Ours is an abbreviated query:
 * `c=douyin&s=TOKEN`. Names may be written out; a value without any is the code of a channel.
 */
const shortNames: ReadonlyMap<string, string> = new Map([
  ['c', 'channelCode'],
  ['b', 'bd_vid'],
  ['r', 'recordId'],
  ['n', 'reportNo'],
  ['s', 'shareToken'],
  ['g', 'gameId'],
  ['m', 'mode'],
])

function decoded(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return ''
  }
}

/** Parameters of the `scene`, each value encoded once as in a URL. */
function parseQrCodeParams(raw: string): Record<string, string> {
  const text = decoded(raw)
  const out: Record<string, string> = {}
  for (const pair of text.split('&')) {
    const separator = pair.indexOf('=')
    const key = separator < 0 ? 'channelCode' : (shortNames.get(pair.slice(0, separator)) ?? pair.slice(0, separator))
    const value = pair.slice(separator + 1)
    if (value !== '' && key !== '__proto__') out[key] = encodeURIComponent(value)
  }
  return out
}

/** Adds the parameters in `scene` to a query without overwriting it. Values stay encoded. */
export function withQrCodeParams<T>(query: Record<string, T>): Record<string, T | string> {
  const { scene } = query
  return typeof scene === 'string' && scene !== '' ? { ...parseQrCodeParams(scene), ...query } : query
}
