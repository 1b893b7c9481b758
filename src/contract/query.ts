/** GET parameters in their signed and sent form; separate from the signature, so that URLs can be built without MD5. */

/** A GET parameter; undefined and null are omitted, arrays and objects are sent as JSON. */
export type SignParams = Readonly<Record<string, unknown>>

/** Parameters in the form that is signed and, percent-encoded, sent: sorted by UTF-16 code unit, values as strings. */
export function signedPairs(params: SignParams): [key: string, value: string][] {
  return Object.keys(params)
    .sort()
    .flatMap((key): [string, string][] => {
      const value = params[key]
      if (value === undefined || value === null) return []
      return [[key, typeof value === 'object' ? JSON.stringify(value) : String(value)]]
    })
}

/** The part of a GET that is signed: `key=value` joined by `&`, not percent-encoded. */
export function canonicalGet(params: SignParams): string {
  return signedPairs(params)
    .map(([key, value]) => `${key}=${value}`)
    .join('&')
}

/** The same pairs as a query string without `?`. */
export function toQuery(params: SignParams): string {
  return signedPairs(params)
    .map(([key, value]) => `${encodeURIComponent(key)}=${encodeURIComponent(value)}`)
    .join('&')
}
