import { useState } from 'react'
import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { dialog } from '@/platform/dialog'
import { copy } from './copy'

/** The share in a response: token and picture, both undefined after it has ended. */
export interface ShareState {
  token?: string
  image?: string
}

export async function requestShare(orderId: string, withdraw = false): Promise<ShareState> {
  const request = withdraw ? { orderId, withdraw } : { orderId }
  const { shareToken: token, image } = await api.evaluation.reportImageShare(request, { quiet: true })
  return token ? { token, image } : {}
}

/** Starts and ends sharing of a report; the server creates and revokes the token. */
export function useSharing(orderId: string, onShared: (share: ShareState) => void) {
  const { busy, failure, run } = useAction()
  const [ended, setEnded] = useState(false)

  const change = (withdraw: boolean) =>
    run(
      async () => {
        const share = await requestShare(orderId, withdraw)
        setEnded(withdraw)
        onShared(share)
      },
      (e) => e.msg,
    )

  async function end() {
    const sure = await dialog.confirm({
      title: copy.shareEndTitle,
      content: copy.shareEndText,
      confirmText: '撤回',
    })
    if (sure) await change(true)
  }
  return { busy, error: failure, ended, begin: () => void change(false), end: () => void end() }
}
