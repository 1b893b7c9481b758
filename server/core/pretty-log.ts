import pino, { type DestinationStream } from 'pino'

interface LogLine {
  level: number
  time: number
  msg?: string
  err?: { stack: string }
  [field: string]: unknown
}

const INFO = 30
const clockOf = (time: number): string => new Date(time).toTimeString().slice(0, 8)
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Requests as method, path, status and duration; others as their message and fields. */
function readable({ level, time, msg, err, method, path, status, ms, reqId, ...fields }: LogLine): string {
  const isRequest = method !== undefined && status !== undefined
  const words = [
    clockOf(time),
    ...(level === INFO ? [] : [pino.levels.labels[level]]),
    ...(isRequest ? [method, path, status, `${ms} ms`] : []),
    ...(msg ? [msg] : []),
    ...Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`),
  ]
  return `${words.join(' ')}\n${err ? `${err.stack}\n` : ''}`
}

/** Lines of the log that a person can read in a terminal, instead of JSON. */
export const prettyLog = (to: DestinationStream): DestinationStream => ({
  write: (line) => to.write(readable(JSON.parse(line) as LogLine)),
})
