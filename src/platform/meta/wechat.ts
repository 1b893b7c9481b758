import wx from 'weixin-js-sdk'
import { menu } from '../share/menu'

/** Absolute URLs, as WeChat requires. */
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

/** On iOS WeChat signs the URL with which the page was opened, regardless of later navigation. */
function signedUrl(): string {
  const [entry] = performance.getEntriesByType?.('navigation') ?? []
  return ((isIos && entry?.name) || location.href).replace(/#.*$/, '')
}

async function sign(url: string): Promise<Signed | undefined> {
  // fetch, because it precedes the first call: Taro.request is in the network API's chunk, which may not be needed
  const response = await fetch(`${API_BASE}/wechat/js-sdk?url=${encodeURIComponent(url)}`)
  // without a configured login WeChat shares the plain URL
  return response.ok ? ((await response.json()) as Signed) : undefined
}

function applyShareData() {
  const success = () => {
    menu.configured = true
  }
  if (newest) for (const api of APIS) wx[api]({ ...newest, success })
}

/** Sets what the ··· menu of WeChat's browser shares; page buttons cannot share there. */
export async function setWechatShareData(share: SharedPage): Promise<void> {
  newest = share
  menu.configured = false
  const page = signedUrl()
  if (signedFor !== page) {
    signedFor = page
    const signed = await sign(page).catch(() => undefined)
    // the user has navigated meanwhile, and the new page was signed separately
    if (signedFor !== page) return
    if (!signed) {
      signedFor = undefined
      return
    }
    // WeChat's own script for pages (jweixin), which Taro does not wrap
    wx.config({ debug: false, ...signed, jsApiList: [...APIS], openTagList: [] })
  }
  // `ready` is jweixin's as well
  wx.ready(applyShareData)
}
