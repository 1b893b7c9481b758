import { redact } from '../../core/log'

/** characters */
const LONGEST = 200

interface Detailed {
  name?: unknown
  message?: unknown
  code?: unknown
  table?: unknown
  constraint?: unknown
}

/** Error messages quote rejected values, which may be any user input. */
const withoutValues = (message: string): string =>
  redact((message.split(/: |\n/, 1)[0] ?? '').replace(/"[^"]*"|'[^']*'|`[^`]*`/g, '…')).replace(/\d{6,}/g, '…')

/** Failure text for the desk: kind of error, code, table and constraint, and the message without values. */
export function failureReason(err: unknown): string {
  const { name, message, code, table, constraint } = (err ?? {}) as Detailed
  const parts = [name, code, table, constraint].filter((part): part is string => typeof part === 'string')
  const words = withoutValues(typeof message === 'string' ? message : '')
  return `${parts.join(' ') || 'Error'}${words === '' ? '' : `：${words}`}`.slice(0, LONGEST)
}
