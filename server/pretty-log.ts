import type { DestinationStream } from 'pino'

/**
 * Log lines for somebody who reads them on a terminal. pino-pretty is a development package, so it is loaded only here.
 * @returns undefined where lines go to a file, a pipe or a collector, and where the package is not installed
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
