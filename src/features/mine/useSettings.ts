import { useState } from 'react'
import { ApiError, api, isShown } from '@/api'
import { useLoad } from '@/api/useLoad'
import type { UserInfo } from '@/contract/types'
import { dialog } from '@/platform/dialog'
import { useDidReturn } from '@/router/useDidReturn'
import { dispatch } from '@/session/store'
import { copy } from './copy'

type Settings = UserInfo['settings']
export type Toggle = 'pushReport' | 'pushActivity' | 'showAsExample'

/** The user with devices and settings. */
export function useSettings() {
  /** changed here: shown at once, and what was before if the server refuses */
  const [changed, setChanged] = useState<Partial<Settings>>({})
  const load = useLoad('settings', async (signal) => {
    const user = await api.user.get({ devices: true }, { quiet: true, signal })
    const { devices, ...userInfo } = user
    dispatch({ type: 'userInfoLoaded', userInfo })
    return user
  })
  // name, number and real name change on pages above
  useDidReturn(() => void load.reload())
  // an immediate reload would return the old list: calls within 300 ms share one result
  const [signedOut, setSignedOut] = useState<readonly string[]>([])

  async function change<K extends Toggle | 'priceMove'>(key: K, value: Settings[K]) {
    const before = changed
    setChanged((old) => ({ ...old, [key]: value }))
    try {
      await api.user.updateSettings({ [key]: value })
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      setChanged((old) => ({ ...old, [key]: before[key] ?? load.data?.settings[key] }))
      if (!isShown(e)) dialog.toast(copy.setting.failed)
    }
  }

  /** Asks first. @param which a device's id, or OTHERS @param name of the device */
  async function signOut(which: string, name?: string) {
    const { signOutConfirm, signOut: confirmText } = copy.setting
    if (!(await dialog.confirm({ ...signOutConfirm(name), confirmText }))) return
    try {
      await api.user.updateSettings({ signOut: which })
      dialog.toast(which === 'OTHERS' ? copy.setting.signedOutOthers : copy.setting.signedOut)
      const left = (load.data?.devices ?? []).filter(
        ({ id, current }) => id === which || (which === 'OTHERS' && !current),
      )
      setSignedOut((old) => [...old, ...left.map(({ id }) => id)])
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (!isShown(e)) dialog.toast(copy.setting.failed)
    }
  }
  const devices = load.data?.devices?.filter(({ id }) => !signedOut.includes(id)) ?? []
  const settings = load.data && { ...load.data.settings, ...changed }
  return { load, devices, settings, change, signOut }
}
