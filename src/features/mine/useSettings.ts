import { useRef, useState } from 'react'
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
  /** accepted by the server since the load */
  const [accepted, setAccepted] = useState<Partial<Settings>>({})
  /** shown until all changes have been confirmed: a response does not undo a later tap */
  const [wanted, setWanted] = useState<Partial<Settings>>({})
  const changes = useRef({ running: 0, ended: 0 })
  const load = useLoad('settings', async (signal) => {
    const { ended } = changes.current
    const user = await api.user.get({ devices: true }, { quiet: true, signal })
    const { devices, ...userInfo } = user
    dispatch({ type: 'userInfoLoaded', userInfo })
    if (changes.current.ended === ended) setAccepted({})
    return user
  })
  // name, number and real name change on pages above
  useDidReturn(() => void load.reload())
  // an immediate reload would return the old list: calls within 300 ms share one result
  const [gone, setGone] = useState<readonly string[]>([])

  async function change<K extends Toggle | 'priceMove'>(key: K, value: Settings[K]) {
    changes.current.running++
    setWanted((old) => ({ ...old, [key]: value }))
    try {
      const settings = await api.user.updateSettings({ [key]: value })
      setAccepted((old) => ({ ...old, [key]: settings[key] }))
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      if (!isShown(e)) dialog.toast(copy.setting.failed)
    } finally {
      changes.current.ended++
      if (--changes.current.running === 0) setWanted({})
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
  const settings = load.data && { ...load.data.settings, ...accepted, ...wanted }
  return { load, devices, settings, change, signOut }
}
