import { api } from '@/api'
import { dialog } from '@/platform/dialog'
import { nav } from '@/router/nav'
import { dispatch } from '@/session/store'
import { copy } from './copy'

/** Ends the session here and, if it can be reached, on the server; after one question. */
export async function logout() {
  const { logoutTitle: title, logoutBody: content, logoutYes: confirmText, logoutNo: cancelText } = copy
  if (!(await dialog.confirm({ title, content, confirmText, cancelText }))) return
  // offline or already ended there: the token is forgotten here all the same, and runs out on the server
  await api.user.updateSettings({ signOut: 'THIS' }, { quiet: true }).catch(() => undefined)
  dispatch({ type: 'loggedOut' })
  dialog.toast(copy.loggedOut)
  await nav.tab('home')
}
