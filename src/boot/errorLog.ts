import { AppError } from '@/api'
import { redact } from '@/lib/redact'
import { errorLog } from '@/platform/errorLog'
import type { Uncaught } from '@/platform/errorLog/port'
import { currentUrl } from '@/router/nav'

/** The page on show, without its parameters. */
const currentPath = () => currentUrl()?.split('?')[0]

/** Name, message and stack of whatever was thrown; hosts hand over texts as well as errors. */
function factsOf(reason: unknown) {
  const { name, message, stack } = (typeof reason === 'object' && reason !== null ? reason : {}) as Partial<Error>
  const text = stack ?? message ?? (typeof reason === 'string' ? reason : '')
  return { name: name === undefined ? undefined : redact(name), text: redact(text) }
}

/** An error nobody has caught goes to the operators' log, without anything of the user. */
export function logUncaught({ kind, reason }: Uncaught) {
  // refusals and failures of calls were told to the user; the server has its own line of those that reached it
  if (reason instanceof AppError) return
  errorLog.write('error', kind === 'error' ? 'uncaught error' : 'unhandled rejection', {
    page: currentPath(),
    ...factsOf(reason),
  })
}

/** A call the server failed at or did not answer: what finds it in the server's log. `path` has no parameters. */
export function logFailure(path: string, { kind, code, status, requestId }: AppError) {
  if (kind === 'network' || (status !== undefined && status >= 500))
    errorLog.write('warn', 'call failed', { page: currentPath(), path, kind, code, status, requestId })
}
