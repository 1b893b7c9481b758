import { reloginDialog } from '@/contract/errors'
import { dialog } from '@/platform/dialog'
import { currentUrl, nav } from '@/router/nav'
import { dispatch, session } from '@/session/store'

let isDialogOpen = false

/**
 * Expired session (HTTP 401, spec §8): log out, one dialog however many calls fail at once, then the login page, then
 * back. Failures of requests sent with an older token are ignored: the user has been asked already.
 */
export async function handleExpiredSession(usedToken: string | undefined): Promise<void> {
  if (isDialogOpen || usedToken !== session().token) return
  isDialogOpen = true
  const back = currentUrl()
  dispatch({ type: 'loggedOut' })
  try {
    await dialog.confirm({ ...reloginDialog, cancelText: null })
    await nav.login(back, 'relaunch')
  } finally {
    isDialogOpen = false
  }
}
