import type { DestinationStream } from 'pino'

/**
 * Readable log lines for a terminal. pino-pretty is a development dependency, so it is loaded only here.
 * @returns undefined if the output is a file, a pipe or a collector, or the package is not installed
 */
export function prettyLog(): DestinationStream | undefined {
  if (!process.stdout.isTTY) return undefined
  try {
    const pretty = require('pino-pretty') as (options: object) => DestinationStream
    return pretty({ sync: true, translateTime: 'SYS:HH:MM:ss.l', singleLine: true })
  } catch {
    return undefined
  }
}
