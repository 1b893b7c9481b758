import { routes } from '@/router/routes'
import type { copy } from './copy'

/** What the login leads to, where it interrupted something: a report, a friend's invitation or a form. */
export function loginPurpose(redirect: string | undefined): keyof typeof copy.awaits | undefined {
  const [path = ''] = (redirect ?? '').replace(/^\//, '').split('?')
  if (path === routes.report.path) return 'report'
  if (path === routes.reportUnlockAccept.path) return 'help'
  const isForm = path === routes.evaluationChooseGame.path || path === routes.evaluationFillInInfo.path
  return isForm ? 'form' : undefined
}
