import '@/lib/fromEntries'
import { eventCenter } from '@tarojs/taro'
import { PAGE_LOADING_DELAY, PAGE_LOADING_TIMEOUT } from '@/contract/constants'
import { firstScreen } from '@/platform/firstScreen'
import { pageLoadingScreen } from '@/platform/pageLoadingScreen'
import { matchUrl } from '@/router/guard'
import { defaultMeta } from '@/router/meta'
import { isAllowed, nav, onPageShown } from '@/router/nav'
import { recoverFromDeploy } from './deploy'
import { onNetworkApiLoadError, preloadNetworkApi } from './loadNetworkApi'

type Loaded = [page: Promise<unknown>, context: unknown, params: unknown]
interface Route {
  path: string
  load(context: unknown, params: unknown): Loaded
  navigationBarTitleText?: string
}
interface H5Config {
  routes: Route[]
  animation?: boolean
}

const NEVER = new Promise<never>(() => undefined)

/** A page whose code is loaded and that is about to be mounted. */
let mounting = false
let markMounting: () => void = () => undefined
/** after this time a page that was not mounted no longer delays going back */
const MOUNT_TIMEOUT_MS = 1000

/**
 * Delays going back while a page is being mounted: the router would still regard the old page as current and do
 * nothing, so the new page would appear under the old URL.
 */
function delayBackWhileMounting() {
  let held = false
  let limit: ReturnType<typeof setTimeout> | undefined
  const free = () => {
    clearTimeout(limit)
    mounting = false
    if (!held) return
    held = false
    window.dispatchEvent(new PopStateEvent('popstate', { state: window.history.state }))
  }
  const onPop = (e: PopStateEvent) => {
    if (!mounting) return
    e.stopImmediatePropagation()
    held = true
  }
  window.addEventListener('popstate', onPop, true)
  onPageShown(() => setTimeout(free, 0))
  markMounting = () => {
    mounting = true
    clearTimeout(limit)
    limit = setTimeout(free, MOUNT_TIMEOUT_MS)
  }
}

/** Id of the latest navigation, the only one that may change the overlay or mount a page. */
let navigationId = 0

/**
 * Loads a page's code with the placeholders of spec §2. A page the user has left meanwhile is not mounted (Taro
 * itself would mount it over the current page).
 */
function loadWithOverlay(start: () => Promise<unknown>, path: string): Promise<unknown> {
  const mine = navigationId
  const current = () => mine === navigationId
  return new Promise((resolve) => {
    const attempt = () => {
      let over = false
      const finish = (then: () => void) => {
        if (over) return
        over = true
        clearTimeout(slow)
        clearTimeout(dead)
        if (current()) then()
      }
      const fail = () => finish(() => pageLoadingScreen.error(attempt))
      const slow = setTimeout(() => current() && pageLoadingScreen.loading(), PAGE_LOADING_DELAY)
      const dead = setTimeout(fail, PAGE_LOADING_TIMEOUT)
      start().then(
        (page) =>
          finish(() => {
            pageLoadingScreen.hide()
            markMounting()
            resolve(page)
          }),
        async (e: unknown) => {
          console.warn('page code failed to load', path, e)
          if (!(await recoverFromDeploy())) fail()
        },
      )
    }
    attempt()
  })
}

/** Guard on h5: the code of a protected page is not requested without a login. */
function guarded(route: Route): Route['load'] {
  const raw = route.load
  return (context, params) => {
    // the route's own path, not the address: an alias must not slip past the guard
    const url = `/${route.path}${window.location.search}`
    if (!isAllowed(url)) {
      // the router must have finished this navigation
      setTimeout(() => nav.admit(url), 0)
      return [NEVER, context, params]
    }
    // a server-rendered page has its responses embedded
    if (!firstScreen.isVisible()) preloadNetworkApi()
    return [loadWithOverlay(() => Promise.resolve(raw(context, params)[0]), route.path), context, params]
  }
}

/**
 * Called by the h5 entry (config/h5.ts) before Taro's router reads the routes, the only
 * moment when page loading can be wrapped.
 */
export function setupH5Router(config: H5Config) {
  // transitions break `position: fixed`, and going back during one could leave a blank page
  config.animation = false
  delayBackWhileMounting()
  onNetworkApiLoadError(recoverFromDeploy)
  window.addEventListener('touchstart', preloadNetworkApi, { once: true, passive: true })
  eventCenter.on('__taroRouterChange', () => {
    navigationId++
    pageLoadingScreen.hide()
  })
  for (const route of config.routes) {
    route.load = guarded(route)
    const match = matchUrl(`/${route.path}`)
    if (match) route.navigationBarTitleText = defaultMeta(match.name).title
  }
}
