import wx from 'weixin-js-sdk'
import { menu } from '../share/menu'

/** Full addresses: WeChat stands outside. */
export interface SharedPage {
  title: string
  desc: string
  link: string
  imgUrl: string
}
interface Signed {
  appId: string
  nonceStr: string
  timestamp: number
  signature: string
}

const APIS = ['updateAppMessageShareData', 'updateTimelineShareData'] as const
const isIos = /iPhone|iPad|iPod/i.test(navigator.userAgent)
let signedFor: string | undefined
let newest: SharedPage | undefined

/** On iOS WeChat goes on knowing the page by the address it opened, whatever the app has made of it since. */
function known(): string {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  return ((isIos && entry?.name) || location.href).replace(/#.*$/, '')
}

async function sign(url: string): Promise<Signed | undefined> {
  // before the first call: what sends those, Taro.request in it, is a chunk of its own that a reader may not need
  const answer = await fetch(`${API_BASE}/wechat/js-sdk?url=${encodeURIComponent(url)}`)
  // not set up here: WeChat shares the bare address, as ever
  return answer.ok ? ((await answer.json()) as Signed) : undefined
}

function tell() {
  const success = () => {
    menu.told = true
  }
  if (newest) for (const api of APIS) wx[api]({ ...newest, success })
}

/** What the ··· menu of WeChat's browser shares of the page on show; only it can share there, no button of ours. */
export async function tellWechat(share: SharedPage): Promise<void> {
  newest = share
  menu.told = false
  const page = known()
  if (signedFor !== page) {
    signedFor = page
    const signed = await sign(page).catch(() => undefined)
    // another page came meanwhile, which has been signed for itself
    if (signedFor !== page) return
    if (!signed) {
      signedFor = undefined
      return
    }
    // WeChat's own script for pages (jweixin), which Taro does not wrap
    wx.config({ debug: false, ...signed, jsApiList: [...APIS], openTagList: [] })
  }
  // as above
  wx.ready(tell)
}
