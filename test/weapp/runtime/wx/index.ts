/** Assembles `wx`: the implemented functions, and for every other official name a function that reports a problem. */
import type { Launch } from '../host'
import type { PageInstance } from '../pages'
import type { Router } from '../router'
import { problem } from '../state'
import { accountApi } from './account'
import { adApi } from './ad'
import { type Api, calls, event, Refused } from './call'
import { deviceApi } from './device'
import { mediaApi } from './media'
import { messageApi } from './messages'
import { networkApi } from './network'
import { operationsApi } from './operations'
import { payApi } from './pay'
import { privacyApi } from './privacy'
import { storageApi } from './storage'
import { uiApi } from './ui'

interface Options {
  router: Router
  launch: Launch
  official: string[]
}

function routeApi(router: Router): Record<string, Api> {
  type Url = { url: string }
  return calls({
    navigateTo: ({ url }: Url) => router.navigateTo(url),
    redirectTo: ({ url }: Url) => router.redirectTo(url),
    reLaunch: ({ url }: Url) => router.reLaunch(url),
    switchTab: ({ url }: Url) => router.switchTab(url),
    navigateBack: ({ delta }: { delta?: number }) => router.navigateBack(delta),
  })
}

export const appEvents = {
  show: event<object>('AppShow'),
  hide: event<void>('AppHide'),
  error: event<string>('Error'),
  rejection: event<{ reason: unknown }>('UnhandledRejection'),
  pageNotFound: event<object>('PageNotFound'),
}

interface Scroll {
  scrollTop?: number
  selector?: string
  /** px added to the top of the selected node */
  offsetTop?: number
}

/** As on a device the selector sees the page's own nodes, not those inside its components. */
function pageScrollTo(page: PageInstance, { scrollTop = 0, selector, offsetTop = 0 }: Scroll) {
  if (!selector) return window.scrollTo(0, scrollTop)
  const node = page._$.getShadowRoot()?.querySelector(selector)?.getBackendElement() as HTMLElement | null | undefined
  if (!node) throw new Refused(`selector ${selector} is not found`)
  window.scrollTo(0, window.scrollY + node.getBoundingClientRect().top + offsetTop)
}

function engineApi({ router, launch, official }: Options): Record<string, Api> {
  const entry = () => ({ ...launch, query: { ...launch.query }, referrerInfo: {} })
  const top = () => {
    if (!router.top) throw new Error('no page is on show')
    return router.top.instance
  }
  return {
    ...calls({ pageScrollTo: (o: Scroll) => pageScrollTo(top(), o) }),
    canIUse: (name: string) => official.includes(name.split('.')[0] ?? ''),
    nextTick: (run: () => void) => void Promise.resolve().then(run),
    getLaunchOptionsSync: entry,
    getEnterOptionsSync: entry,
    createSelectorQuery: () => top().createSelectorQuery(),
    createIntersectionObserver: (component?: PageInstance, options?: object) =>
      (component ?? top()).createIntersectionObserver(options),
  }
}

function loud(name: string): Api {
  return () => {
    problem(`wx.${name} is not stubbed`)
    throw new Error(`wx.${name} is not stubbed by the harness`)
  }
}

/** Reading these throws where a page is opened from Moments, so no start of the app may depend on them. */
const refusedFromMoments = ['router', 'worklet', 'cloud']

/** @returns the object the app knows as `wx`; it may add to it, as webpack's loader does */
export function createWx(options: Options): Record<string, unknown> {
  const wx: Record<string, unknown> = {}
  for (const name of options.official) wx[name] = loud(name)
  Object.assign(
    wx,
    deviceApi,
    storageApi,
    networkApi,
    uiApi,
    accountApi,
    privacyApi,
    payApi,
    operationsApi,
    messageApi,
    adApi,
    mediaApi,
    routeApi(options.router),
    engineApi(options),
  )
  for (const { api } of Object.values(appEvents)) Object.assign(wx, api)
  wx.env = { USER_DATA_PATH: 'http://usr' }
  for (const name of refusedFromMoments)
    Object.defineProperty(wx, name, {
      enumerable: true,
      get() {
        throw new Error(`APP-SERVICE-SDK:${name}:fail rejected due to no permission currently`)
      },
    })
  return wx
}
