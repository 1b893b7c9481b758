import { storage } from '@/platform/storage'
import { splitQuery } from '@/router/params'
import { routes } from '@/router/routes'
import { DRAFTS_KEY } from '@/session/draftKeys'
import { parse } from '@/session/drafts'
import { copy } from './copy'

/** Whether this device keeps answers for the form, whoever gave them: who is going to log in is not known. */
function hasDraft({ gameId, mode }: Record<string, string | undefined>): boolean {
  const keys = parse(storage.get(DRAFTS_KEY))
  const end = `:${gameId}:${mode === 'MANUAL' ? 'MANUAL' : 'AI'}`
  return Array.isArray(keys) && keys.some((key) => typeof key === 'string' && key.endsWith(end))
}

/** What the login leads to, where it interrupted something: a friend's invitation or a form. */
export function loginPurpose(redirect: string | undefined): string | undefined {
  const [path = '', query = ''] = (redirect ?? '').replace(/^\//, '').split('?')
  const params = splitQuery(query)
  if (path === routes.report.path && params.shareToken) return copy.awaits.report
  if (path === routes.evaluationFillInInfo.path) return hasDraft(params) ? copy.awaits.formKept : copy.awaits.form
  return path === routes.reportUnlockAccept.path ? copy.awaits.help : undefined
}
