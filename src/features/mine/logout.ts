import { api } from '@/api'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { dispatch } from '@/session/store'
import { copy } from './copy'

/** Logs out after confirmation at once, and on the server if it can be reached. */
export async function logout() {
  const { logoutTitle: title, logoutBody: content, logoutYes: confirmText, logoutNo: cancelText } = copy
  if (!(await dialog.confirm({ title, content, confirmText, cancelText }))) return
  // sent with the token before it is removed; if that fails, it expires on the server. Never repeated with the token of
  // a login that follows: that would end the new session.
  void api.user.updateSettings({ signOut: 'THIS' }, { quiet: 'always', sameLogin: true }).catch(() => undefined)
  dispatch({ type: 'loggedOut' })
  dialog.toast(copy.loggedOut)
  await nav.tab('home')
}
