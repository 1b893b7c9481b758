import { useState } from 'react'
import { api } from '@/api'
import { useCall } from '@/api/useCall'
import { momentText } from '@/contract/timeText'
import type { Res } from '@/contract/types'
import { serverTime } from '@/lib/clock'
import { clipboard } from '@/platform/clipboard'
import { dialog } from '@/platform/dialog'
import { Cell } from '@/ui/Cell/Cell'
import { copy } from '../copy'

const words = copy.setting.dataExport
type State = Res<'dataExport', 'get'>

/** The row 个人信息副本: asks for an export of one's data, then gives the address of the file, on h5 and in WeChat alike. */
export function DataExportCell() {
  const { data } = useCall('dataExport', 'get', {})
  const [requested, setRequested] = useState<State>()
  const state = requested ?? data ?? { status: 'NONE' }

  async function requestExport() {
    const { title, confirm: content, confirmYes: confirmText } = words
    if (!(await dialog.confirm({ title, content, confirmText }))) return
    // failures are shown by the api
    setRequested(await api.dataExport.request({}))
  }
  function act() {
    if (state.url !== undefined) return clipboard.copy(state.url)
    if (state.status === 'WAITING') return dialog.toast(words.waiting)
    return requestExport().catch(() => undefined)
  }
  return (
    <Cell
      title={words.title}
      value={words.actions[state.status]}
      note={state.expireAt && words.until(momentText(state.expireAt, serverTime()))}
      onClick={() => void act()}
    />
  )
}
