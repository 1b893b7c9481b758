import { api } from '@/api'
import { useAction } from '@/api/useAction'
import { device } from '@/platform/device'
import { rewardedAd } from '@/platform/rewardedAd'
import { wechatLogin } from '@/platform/wechatLogin'
import { copy } from './copy'

/** Unlock by an ad: permission, the whole ad, the server's confirmation. `error` says why it did not unlock. */
export function useAdUnlock(orderId: string, onUnlocked: () => void) {
  const { busy, failure, setFailure, run } = useAction()

  async function watch() {
    const { adUnitId, nonce } = await api.pay.adUnitId({ orderId, platform: device.platform }, { quiet: true })
    const end = await rewardedAd.show(adUnitId)
    if (end === 'none') return setFailure(copy.adNone)
    const isEnded = end === 'watched'
    const loginCode = isEnded ? await wechatLogin.code() : undefined
    const { unlocked } = await api.pay.adUnlock({ orderId, nonce, isEnded, loginCode }, { quiet: true })
    if (unlocked) onUnlocked()
    else setFailure(copy.adClosed)
  }
  return { busy, error: failure, run: () => void run(watch, (e) => e.msg) }
}
