/** A rewarded ad: one object per unit, must be loaded before it is shown, reports whether it was watched to its end. */
import { phone } from '../state'
import { Refused } from './call'
import { choice } from './ui'

type Closed = (end: { isEnded: boolean }) => void

const refused = (name: string, errCode: number) => ({ errMsg: `${name}:fail no suitable ad`, errCode })

function createAd() {
  const closed = new Set<Closed>()
  const failed = new Set<(error: object) => void>()
  let loaded = false
  const fail = (name: string) => {
    const error = refused(name, 1004)
    for (const listener of [...failed]) listener(error)
    return Promise.reject(error)
  }
  return {
    async load() {
      if (!phone.ad) return fail('load')
      loaded = true
      return undefined
    },
    async show() {
      if (!loaded) return fail('show')
      loaded = false
      // the promise resolves as soon as the ad is shown
      void choice(['看完广告', '关闭广告']).then((text) => {
        for (const listener of [...closed]) listener({ isEnded: text === '看完广告' })
      })
      return undefined
    },
    onLoad: () => undefined,
    offLoad: () => undefined,
    onError: (listener: (error: object) => void) => void failed.add(listener),
    offError: (listener: (error: object) => void) => void failed.delete(listener),
    onClose: (listener: Closed) => void closed.add(listener),
    offClose: (listener: Closed) => void closed.delete(listener),
    destroy: () => undefined,
  }
}

const ads = new Map<string, ReturnType<typeof createAd>>()

export const adApi = {
  createRewardedVideoAd({ adUnitId }: { adUnitId: string }) {
    if (!adUnitId) throw new Refused('parameter error: adUnitId')
    const ad = ads.get(adUnitId) ?? createAd()
    ads.set(adUnitId, ad)
    return ad
  },
}
