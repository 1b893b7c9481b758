import { splitQuery } from '@/router/params'
import { routes } from '@/router/routes'
import { copy } from './copy'

/** What the login leads to, where it interrupted something: a friend's invitation or a form. */
export function loginPurpose(redirect: string | undefined): string | undefined {
  const [path = '', query = ''] = (redirect ?? '').replace(/^\//, '').split('?')
  if (path === routes.report.path && splitQuery(query).shareToken) return copy.awaits.report
  if (path === routes.evaluationFillInInfo.path) return copy.awaits.form
  return path === routes.reportUnlockAccept.path ? copy.awaits.help : undefined
}
