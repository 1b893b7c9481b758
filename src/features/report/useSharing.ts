import { useState } from 'react'
import { ApiError, api } from '@/api'
import { dialog } from '@/platform/dialog'
import { copy } from './copy'

/** The share in a response: token and picture, both undefined after it has ended. */
export interface ShareState {
  token?: string
  image?: string
}

/** Starts and ends sharing of a report; the server creates and revokes the token. */
export function useSharing(orderId: string, onShared: (share: ShareState) => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [ended, setEnded] = useState(false)

  async function requestShare(withdraw: boolean) {
    setBusy(true)
    setError(undefined)
    try {
      const request = withdraw ? { orderId, withdraw } : { orderId }
      const { shareToken: token, image } = await api.evaluation.reportImageShare(request, { quiet: true })
      setEnded(withdraw)
      onShared(token ? { token, image } : {})
    } catch (e) {
      if (!(e instanceof ApiError)) throw e
      setError(e.msg)
    } finally {
      setBusy(false)
    }
  }

  async function end() {
    const sure = await dialog.confirm({
      title: copy.shareEndTitle,
      content: copy.shareEndText,
      confirmText: '撤回',
    })
    if (sure) await requestShare(true)
  }
  return { busy, error, ended, begin: () => void requestShare(false), end: () => void end() }
}
