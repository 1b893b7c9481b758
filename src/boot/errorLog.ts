import { ApiError } from '@/api'
import { redact } from '@/lib/redact'
import { errorLog } from '@/platform/errorLog'
import type { UncaughtError } from '@/platform/errorLog/port'
import { currentUrl } from '@/router/nav'

/** Path of the current page, without parameters. */
const currentPath = () => currentUrl()?.split('?')[0]

/** Name, message and stack of anything thrown; hosts also report plain texts. */
function textsOf(reason: unknown) {
  const { name, message, stack } = (typeof reason === 'object' && reason !== null ? reason : {}) as Partial<Error>
  const text = stack ?? message ?? (typeof reason === 'string' ? reason : '')
  return { name: name === undefined ? undefined : redact(name), text: redact(text) }
}

/** An error nobody has caught goes to the operators' log, without anything of the user. */
export function logUncaught({ kind, reason }: UncaughtError) {
  // failed calls were shown to the user, and the server logs those that reached it
  if (reason instanceof ApiError) return
  errorLog.write('error', kind === 'error' ? 'uncaught error' : 'unhandled rejection', {
    page: currentPath(),
    ...textsOf(reason),
  })
}

/** Logs a call that failed on the server or was not answered, with its request id. `path` has no parameters. */
export function logFailure(path: string, { kind, code, status, requestId }: ApiError) {
  if (kind === 'network' || (status !== undefined && status >= 500))
    errorLog.write('warn', 'call failed', { page: currentPath(), path, kind, code, status, requestId })
}
