import { randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

/** Ids of other systems are kept if they cannot break a log line or a header. */
const REQUEST_ID = /^[\w.-]{8,64}$/

/** The caller's `x-request-id` if it is usable, else a new one. It links log lines; nothing is authorised by it. */
export function requestIdOf(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID()
}
