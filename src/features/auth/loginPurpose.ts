import { storage } from '@/platform/storage'
import { splitQuery } from '@/router/params'
import { routes } from '@/router/routes'
import { DRAFTS_KEY } from '@/session/draftKeys'
import { parse } from '@/session/drafts'
import type { copy } from './copy'

/** Whether this device keeps answers for the form, whoever gave them: who is going to log in is not known. */
function hasDraft({ gameId, mode }: Record<string, string | undefined>): boolean {
  const keys = parse(storage.get(DRAFTS_KEY))
  const end = `:${gameId}:${mode === 'MANUAL' ? 'MANUAL' : 'AI'}`
  return Array.isArray(keys) && keys.some((key) => typeof key === 'string' && key.endsWith(end))
}

/** What the login leads to, where it interrupted something: a report, a friend's invitation or a form. */
export function loginPurpose(redirect: string | undefined): keyof typeof copy.awaits | undefined {
  const [path = '', query = ''] = (redirect ?? '').replace(/^\//, '').split('?')
  if (path === routes.report.path) return 'report'
  if (path === routes.reportUnlockAccept.path) return 'help'
  if (path === routes.evaluationChooseGame.path) return 'form'
  return path === routes.evaluationFillInInfo.path ? (hasDraft(splitQuery(query)) ? 'formKept' : 'form') : undefined
}
