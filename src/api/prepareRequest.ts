import type { CallDef } from '@/contract/calls'
import { canonicalGet, toQuery } from '@/contract/query'
import { wellFormed } from '@/lib/text'

/** A call with its serialised parameters, as sent and signed. */
export interface PreparedRequest {
  method: 'GET' | 'POST'
  /** Path with query. */
  path: string
  /** The signed text: the plain query of a GET, the body text of a POST. */
  canonical: string
  body?: string
}

export function prepareRequest(def: CallDef, req: object | undefined): PreparedRequest {
  if (def.method === 'POST') {
    const body = JSON.stringify(req ?? {})
    return { method: 'POST', path: def.path, canonical: body, body }
  }
  const params = Object.fromEntries(
    Object.entries(req ?? {}).map(([key, v]) => [key, typeof v === 'string' ? wellFormed(v) : v]),
  )
  const query = toQuery(params)
  return { method: 'GET', path: query ? `${def.path}?${query}` : def.path, canonical: canonicalGet(params) }
}
