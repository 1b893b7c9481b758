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

/** The user with devices. Settings change optimistically and are rolled back if the server refuses. */
export function useSettings() {
  const load = useLoad('settings', async (scope) => {
    const user = await api.user.get({ devices: true }, { quiet: true, scope })
    const { devices, ...userInfo } = user
    dispatch({ type: 'userInfoLoaded', userInfo })
    return user
  })
  // name, number and real name change on pages above
  useDidReturn(() => void load.reload())
  const [wanted, setWanted] = useState<Partial<Settings>>({})
  // an immediate reload would return the old list: calls within 300 ms share one result
  const [gone, setGone] = useState<readonly string[]>([])

  async function change<K extends Toggle | 'priceMove'>(key: K, value: Settings[K]) {
    const before = { ...load.data?.settings, ...wanted }[key]
    setWanted((old) => ({ ...old, [key]: value }))
    try {
      const kept = await api.user.updateSettings({ [key]: value })
      setWanted((old) => ({ ...old, [key]: kept[key] }))
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      setWanted((old) => ({ ...old, [key]: before }))
      if (!isShown(e)) dialog.toast(copy.setting.failed)
    }
  }

  /** Asks first. @param which a device's id, or OTHERS @param name of the device */
  async function signOut(which: string, name?: string) {
    const { signOutConfirm, signOut: yes, signOutNo } = copy.setting
    if (!(await dialog.confirm({ ...signOutConfirm(name), confirmText: yes, cancelText: signOutNo }))) return
    try {
      await api.user.updateSettings({ signOut: which })
      dialog.toast(which === 'OTHERS' ? copy.setting.signedOutOthers : copy.setting.signedOut)
      const left = (load.data?.devices ?? []).filter(
        ({ id, current }) => id === which || (which === 'OTHERS' && !current),
      )
      setGone((old) => [...old, ...left.map(({ id }) => id)])
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (!isShown(e)) dialog.toast(copy.setting.failed)
    }
  }
  const devices = load.data?.devices?.filter(({ id }) => !gone.includes(id)) ?? []
  return { load, devices, settings: load.data && { ...load.data.settings, ...wanted }, change, signOut }
}
