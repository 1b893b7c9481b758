import { randomBytes } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Ids of other systems are kept if they cannot break a log line or a header. */
const REQUEST_ID = /^[\w.-]{8,64}$/
/** version 00 of W3C Trace Context: trace id, id of the caller's span, flags */
const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-[0-9a-f]{2}$/

/** differs between processes and starts */
const PROCESS = randomBytes(9).toString('base64url')
let requests = 0

/** A unique id over all processes. A counter, because random bytes for each id took 2 % of a short call. */
const newRequestId = (): string => `${PROCESS}-${(requests++).toString(36)}`

/** The caller's `x-request-id` if it is usable, else a new one. It links log lines; nothing is authorised by it. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : newRequestId()
}

/** The trace id of a W3C `traceparent` header; undefined without a valid one. */
export function traceIdOf(headers: IncomingHttpHeaders): string | undefined {
  const given = headers.traceparent
  return typeof given === 'string' ? TRACEPARENT.exec(given)?.[1] : undefined
}
