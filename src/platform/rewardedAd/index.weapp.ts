import Taro from '@tarojs/taro'
import type { AdResult, RewardedAd } from './port'

/** Loads the ad if the host's own first attempt came too early. */
async function open(ad: Taro.RewardedVideoAd) {
  try {
    await ad.show()
  } catch {
    await ad.load()
    await ad.show()
  }
}

function createAd(adUnitId: string): Taro.RewardedVideoAd | undefined {
  try {
    return Taro.createRewardedVideoAd({ adUnitId })
  } catch {
    return undefined
  }
}

export const rewardedAd: RewardedAd = {
  show: (adUnitId) =>
    new Promise<AdResult>((resolve) => {
      // the whole app has one object per unit, so listeners must be removed; hosts without ads create none
      const ad = createAd(adUnitId)
      if (!ad) return resolve('none')
      const end = (how: AdResult) => {
        ad.offClose(onClose)
        resolve(how)
      }
      const onClose = (r?: { isEnded?: boolean }) => end(r?.isEnded === true ? 'watched' : 'closed')
      ad.onClose(onClose)
      open(ad).catch(() => end('none'))
    }),
}
