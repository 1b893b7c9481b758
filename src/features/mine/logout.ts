import { api } from '@/api'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { dispatch } from '@/session/store'
import { copy } from './copy'

/** Logs out after confirmation at once, and on the server if it can be reached. */
export async function logout() {
  const { logout: title, logoutBody: content, logoutYes: confirmText } = copy
  if (!(await dialog.confirm({ title, content, confirmText }))) return
  // sent with the token before it is removed; if that fails, it expires on the server
  void api.user.updateSettings({ signOut: 'THIS' }, { quiet: 'always' }).catch(() => undefined)
  dispatch({ type: 'loggedOut' })
  dialog.toast(copy.loggedOut)
  await nav.tab('home')
}
