import { type ApiError, markShown } from '@/api/error'
import { TOAST_DURATION } from '@/contract/constants'
import { reloginDialog } from '@/contract/errors'
import { clipboard } from '@/platform/clipboard'
import { dialog } from '@/platform/dialog'
import { currentUrl, nav } from '@/router/nav'
import { dispatch, session } from '@/session/store'

let isReloginOpen = false

/**
 * Expired session (spec §8): log out, one dialog however many calls fail at once, then the login page, then back.
 * Failures of requests sent with an older token are ignored: the user has been asked already.
 */
async function relogin(usedToken: string | undefined) {
  if (isReloginOpen || usedToken !== session().token) return
  isReloginOpen = true
  const back = currentUrl()
  dispatch({ type: 'loggedOut' })
  await dialog.confirm({ ...reloginDialog, cancelText: null })
  await nav.login(back, 'relaunch')
  isReloginOpen = false
}

let last = { text: '', at: 0 }

/** Suppresses repeated messages from calls that fail together. */
function isRepeated(text: string) {
  const now = Date.now()
  const echo = text === last.text && now - last.at < TOAST_DURATION
  if (!echo) last = { text, at: now }
  return echo
}

/** Shows an error globally (spec §8); called for every failure that no screen handles. */
export function showError(error: ApiError) {
  markShown(error)
  if (error.behaviour === 'relogin') {
    void relogin(error.usedToken)
    return
  }
  if (isRepeated(error.msg)) return
  const { requestId } = error
  if (error.behaviour !== 'requestId' || !requestId) dialog.toast(error.msg)
  else dialog.toast(error.msg, { label: '复制编号', run: () => void clipboard.copy(requestId) })
}
