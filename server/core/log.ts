import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import type { Settings } from '../settings'

export type { Logger }

/** Removes personal numbers and secrets that an external error message may quote. */
export const redact = (text: string) =>
  text
    .replace(/\b1[3-9]\d{9}\b/g, '1**********')
    .replace(/\b\d{17}[\dXx]\b/g, '[idNo]')
    .replace(/\b[0-9a-f]{32,}\b/gi, '[hex]')

const options = (level: Settings['logLevel'], onAlarm: (message: string) => void): LoggerOptions => ({
  level,
  hooks: {
    logMethod(args, method) {
      const [fields, message] = args as unknown[]
      if (typeof fields === 'object' && fields !== null && 'alarm' in fields && fields.alarm === true)
        onAlarm(String(message))
      method.apply(this, args)
    },
  },
  base: undefined,
  // safety net: values logged under these names by mistake are removed
  redact: {
    paths: ['token', 'mobile', 'sign', 'idNo', 'code', 'password'].flatMap((k) => [k, `*.${k}`, `*.*.${k}`]),
    censor: '[…]',
  },
  serializers: {
    // no headers, query or body: the path names the call, and the request id links the log lines
    req: (req: { method: string; url: string; id: string }) => ({
      id: req.id,
      method: req.method,
      path: pathOf(req.url),
    }),
    err: (e: Error & { code?: unknown }) => ({
      type: e.name,
      message: redact(String(e.message)),
      stack: redact(e.stack ?? ''),
      ...(e.code === undefined ? {} : { reason: e.code }),
    }),
  },
})

/** The path without the query and without anything that looks like a secret: clients can request any URL. */
export const pathOf = (url: string): string => {
  const end = url.search(/[?#;]/)
  return (
    redact(end < 0 ? url : url.slice(0, end))
      .replace(/[\w-]{32,}/g, '[…]')
      // the URL of an export gives access to it
      .replace(/^(\/data-exports\/)[\w.-]+/, '$1[…]')
  )
}

/** bytes buffered while writing is impossible; later lines are dropped */
const MAX_BUFFERED_BYTES = 1024 * 1024

/**
 * Destination of log lines. While the disk is full, or the reader of a pipe is slow, lines wait for a later one that can
 * be written; by pino's defaults the first would throw in every call, and the second block the process.
 * @param fd standard output unless another is given
 */
export function openLog(fd = 1): DestinationStream {
  const to = pino.destination({ dest: fd, sync: true, maxLength: MAX_BUFFERED_BYTES, retryEAGAIN: () => false })
  to.on('error', () => undefined)
  return to
}

/**
 * Structured logs, one JSON object per line, to standard output unless a stream is given.
 * @param onAlarm told the message of every line with `alarm: true`, which asks for a person
 */
export const createLog = (
  level: Settings['logLevel'],
  to: DestinationStream = openLog(),
  onAlarm: (message: string) => void = () => undefined,
): Logger => pino(options(level, onAlarm), to)
