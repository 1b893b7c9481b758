import pino, { type DestinationStream } from 'pino'

type Line = { level: number; time: number; err?: { stack: string }; [field: string]: unknown }

const INFO = 30
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** Lines of the log that a person can read in a terminal, instead of JSON; a request is one short line. */
export const prettyLog = (to: DestinationStream): DestinationStream => ({
  write(line) {
    const { level, time, msg, err, method, path, status, ms, reqId, ...fields }: Line = JSON.parse(line)
    const words = [
      new Date(time).toTimeString().slice(0, 8),
      level !== INFO && pino.levels.labels[level],
      status !== undefined && `${method} ${path} ${status} ${ms} ms`,
      msg,
      ...Object.entries(fields).map(([name, value]) => `${name}=${textOf(value)}`),
    ]
    to.write(`${words.filter(Boolean).join(' ')}\n${err ? `${err.stack}\n` : ''}`)
  },
})
