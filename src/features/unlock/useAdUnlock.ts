import { useState } from 'react'
import { api } from '@/api'
import { device } from '@/platform/device'
import { rewardedAd } from '@/platform/rewardedAd'
import { wechatLogin } from '@/platform/wechatLogin'
import { copy } from './copy'
import { errorText } from './useInvite'

/** Unlocking by an ad: permission, the whole ad, the server's confirmation. `error` says why it did not unlock. */
export function useAdUnlock(orderId: string, onUnlocked: () => void) {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  async function watch(): Promise<string | undefined> {
    const { adUnitId, nonce } = await api.pay.adUnitId({ orderId, platform: device.platform }, { quiet: true })
    const end = await rewardedAd.show(adUnitId)
    if (end === 'none') return copy.adNone
    const isEnded = end === 'watched'
    const loginCode = isEnded ? await wechatLogin.code() : undefined
    const { unlocked } = await api.pay.adUnlock({ orderId, nonce, isEnded, loginCode }, { quiet: true })
    if (!unlocked) return copy.adClosed
    onUnlocked()
    return undefined
  }

  async function run() {
    if (busy) return
    setBusy(true)
    setError(undefined)
    try {
      setError(await watch().catch(errorText))
    } finally {
      setBusy(false)
    }
  }
  return { busy, error, run: () => void run() }
}
