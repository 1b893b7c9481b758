import { splitQuery } from '@/router/params'
import { routes } from '@/router/routes'
import { copy } from './copy'

/** What a friend's link holds that the login stands before; undefined when the user came by himself. */
export function pendingInvitation(redirect: string | undefined): string | undefined {
  const [path = '', query = ''] = (redirect ?? '').replace(/^\//, '').split('?')
  if (path === routes.report.path && splitQuery(query).shareToken) return copy.awaits.report
  return path === routes.reportUnlockAccept.path ? copy.awaits.help : undefined
}
