import { writeSync } from 'node:fs'
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
  return (
    scrub(end < 0 ? url : url.slice(0, end))
      .replace(/[\w-]{32,}/g, '[…]')
      // the card of a share is named by its token, which opens the report
      .replace(/^(\/share\/report\/)[\w-]+/, '$1[…]')
  )
}

/** bytes that are kept while nothing can be written; what comes after that is lost */
const MAX_BUFFERED_BYTES = 1024 * 1024
/** ms until lines that could not be written are tried again */
const AGAIN = 100

/**
 * Where log lines go: written at once, like pino's own destination. That one throws out of every call when the disk is
 * full, or waits for space and holds the process up; here the lines are kept and written when there is space again.
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
      // a full or failing disk, or a pipe whose reader is slow
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

/** Structured logs, one JSON object a line, to standard output unless a stream is given. */
export const createLog = (level: LogLevel, to: DestinationStream = openLog()): Logger => pino(options(level), to)
