import { api } from '@/api'
import { VERSION_CODE } from '@/contract/constants'
import { dialog } from '@/platform/dialog'
import { updates } from '@/platform/update'
import { appState } from '@/session/store'

const latest = () => api.app.latestVersion({ platform: appState().platform }, { quiet: true }).catch(() => undefined)

/** Asks whether to update now, with the operator's text; a forced update offers no "later". */
const confirmUpdate = (title: string, confirmText: string, about: { force: boolean; note: string } | undefined) =>
  dialog.confirm({
    title,
    content: about?.note || '重启后生效，已填写的内容会保留。',
    confirmText,
    cancelText: about?.force ? null : '稍后',
  })

/** The native app is installed from a store, so it learns about a newer version only from the server. */
export async function promptInNativeApp() {
  const about = await latest()
  if (!about || about.code <= VERSION_CODE) return
  if (await confirmUpdate(`发现新版本 ${about.version}`, '去更新', about)) updates.get(about.url)
}

/** @returns whether the user wants to restart into the downloaded version now */
export const promptRestart = async () => confirmUpdate('新版本已准备好', '立即重启', await latest())
