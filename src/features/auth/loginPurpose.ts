import { splitQuery } from '@/router/params'
import { routes } from '@/router/routes'
import { copy } from './copy'

/** Text about the invitation that opens after the login; undefined if the user has not followed one. */
export function pendingInvitation(redirect: string | undefined): string | undefined {
  const [path = '', query = ''] = (redirect ?? '').replace(/^\//, '').split('?')
  if (path === routes.report.path && splitQuery(query).shareToken) return copy.awaits.report
  return path === routes.reportUnlockAccept.path ? copy.awaits.help : undefined
}
