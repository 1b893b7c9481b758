import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import type { LogLevel } from './settings'

export type { Logger }

/** Numbers of people and secrets that a foreign error message may quote. */
export const scrub = (text: string) =>
  text
    .replace(/\b1[3-9]\d{9}\b/g, '1**********')
    .replace(/\b\d{17}[\dXx]\b/g, '[idNo]')
    .replace(/\b[0-9a-f]{32,}\b/gi, '[hex]')

interface Loggable extends Error {
  code?: unknown
}

const options = (level: LogLevel): LoggerOptions => ({
  level,
  base: undefined,
  // whatever is logged by mistake under these names stays out
  redact: {
    paths: ['token', 'mobile', 'sign', 'idNo', 'code', 'password'].flatMap((k) => [k, `*.${k}`, `*.*.${k}`]),
    censor: '[…]',
  },
  serializers: {
    // no headers, no query, no body: the path says which call, the request id finds the rest
    req: (req: { method: string; url: string; id: string }) => ({
      id: req.id,
      method: req.method,
      path: pathOf(req.url),
    }),
    err: (e: Loggable) => ({
      type: e.name,
      message: scrub(String(e.message)),
      stack: scrub(e.stack ?? ''),
      ...(e.code === undefined ? {} : { reason: e.code }),
    }),
  },
})

/** Without the query, and without what looks like a secret: anybody may ask for any address. */
export const pathOf = (url: string): string => {
  const end = url.search(/[?#;]/)
  return scrub(end < 0 ? url : url.slice(0, end)).replace(/[\w-]{32,}/g, '[…]')
}

/** Structured logs, one JSON object a line, to standard output unless a stream is given. */
export const createLog = (level: LogLevel, to?: DestinationStream): Logger =>
  to ? pino(options(level), to) : pino(options(level))
