import { withQrCodeParams } from '@/lib/qrCodeParams'
import { wellFormed } from '@/lib/text'
import { type ParamsOf, type RouteName, routes } from './routes'

/** longer values are rejected */
const MAX_VALUE = 4096

// biome-ignore lint/suspicious/noPrototypeBuiltins: Object.hasOwn is newer than the phones we support
const own = (o: object, key: string) => Object.prototype.hasOwnProperty.call(o, key)

/** Keys a route declares; none for most. */
function declaredParams(name: RouteName): readonly string[] {
  const route = routes[name]
  return 'params' in route ? route.params : []
}

/** `a=1&b=%E4` → values still encoded; the first of a repeated key wins. */
export function splitQuery(query: string): Record<string, string> {
  const out: Record<string, string> = {}
  for (const pair of query.split('&')) {
    const separator = pair.indexOf('=')
    const key = separator < 0 ? pair : pair.slice(0, separator)
    if (key && key !== '__proto__' && !own(out, key)) out[key] = separator < 0 ? '' : pair.slice(separator + 1)
  }
  return out
}

/** Decodes once; undefined for a damaged escape, an empty or an over-long value. */
export function decodeValue(raw: unknown): string | undefined {
  const first: unknown = Array.isArray(raw) ? raw[0] : raw
  if (typeof first !== 'string' || first.length > MAX_VALUE * 3) return undefined
  try {
    const value = decodeURIComponent(first)
    return value !== '' && value.length <= MAX_VALUE ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * The parameters of a page: the declared keys, decoded once. Both runtimes hand parameters over undecoded, and Taro adds
 * `stamp` and `$taroTimestamp`; signed, those would also defeat the sharing of equal requests. A page opened by a
 * mini-program's code has them in `scene`.
 */
export function readParams<N extends RouteName>(name: N, raw: Record<string, unknown>): ParamsOf<N> {
  const out: Record<string, string> = {}
  const given = withQrCodeParams(raw)
  for (const key of declaredParams(name)) {
    const value = own(given, key) ? decodeValue(given[key]) : undefined
    if (value !== undefined) out[key] = value
  }
  return out as ParamsOf<N>
}

/** `/path?a=1`: declared parameters in the table's order, each encoded once; unset ones are left out. */
export function buildUrl<N extends RouteName>(name: N, params?: ParamsOf<N>): string {
  const values: Record<string, unknown> = params ?? {}
  const pairs: string[] = []
  for (const key of declaredParams(name)) {
    const value = own(values, key) ? values[key] : undefined
    if (typeof value === 'string' && value !== '') pairs.push(`${key}=${encodeURIComponent(wellFormed(value))}`)
  }
  return `/${routes[name].path}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
}
