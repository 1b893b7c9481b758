import { writeSync } from 'node:fs'
import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import type { LogLevel } from '../settings'

export type { Logger }

/** Removes personal numbers and secrets that an external error message may quote. */
export const redact = (text: string) =>
  text
    .replace(/\b1[3-9]\d{9}\b/g, '1**********')
    .replace(/\b\d{17}[\dXx]\b/g, '[idNo]')
    .replace(/\b[0-9a-f]{32,}\b/gi, '[hex]')

interface Loggable extends Error {
  code?: unknown
}

/** Told the message of every line with `alarm: true`, which asks for a person. */
export type OnAlarm = (message: string) => void

const options = (level: LogLevel, onAlarm: OnAlarm): LoggerOptions => ({
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
    err: (e: Loggable) => ({
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
/** ms until a failed write is retried */
const AGAIN = 100

/**
 * Destination of log lines: synchronous, like pino's own. On a full disk pino's throws in every call or blocks the
 * process; this one buffers lines until there is space again.
 * @param fd standard output unless another is given
 */
export function openLog(fd = 1): DestinationStream {
  const lines: Buffer[] = []
  let bytes = 0
  let later: NodeJS.Timeout | undefined
  const flush = () => {
    later = undefined
    try {
      for (let [line] = lines; line; [line] = lines) {
        const written = writeSync(fd, line)
        bytes -= written
        if (written < line.length) lines[0] = line.subarray(written)
        else lines.shift()
      }
    } catch {
      // a full or failing disk, or a pipe with a slow reader
      later = setTimeout(flush, AGAIN).unref()
    }
  }
  process.once('exit', flush)
  return {
    write(text) {
      const line = Buffer.from(text)
      if (bytes + line.length > MAX_BUFFERED_BYTES) return
      lines.push(line)
      bytes += line.length
      if (!later) flush()
    },
  }
}

/** Structured logs, one JSON object per line, to standard output unless a stream is given. */
export const createLog = (
  level: LogLevel,
  to: DestinationStream = openLog(),
  onAlarm: OnAlarm = () => undefined,
): Logger => pino(options(level, onAlarm), to)
