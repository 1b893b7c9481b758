import { api } from '@/api'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { dispatch } from '@/session/store'
import { copy } from './copy'

/** Logs out after confirmation, on the server too if it can be reached. */
export async function logout() {
  const { logoutTitle: title, logoutBody: content, logoutYes: confirmText, logoutNo: cancelText } = copy
  if (!(await dialog.confirm({ title, content, confirmText, cancelText }))) return
  // if the request fails, the token is removed locally and expires on the server
  await api.user.updateSettings({ signOut: 'THIS' }, { quiet: true }).catch(() => undefined)
  dispatch({ type: 'loggedOut' })
  dialog.toast(copy.loggedOut)
  await nav.tab('home')
}
