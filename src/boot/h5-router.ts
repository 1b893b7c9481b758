import { eventCenter } from '@tarojs/taro'
import { PAGE_LOADING_DELAY, PAGE_LOADING_TIMEOUT } from '@/contract/constants'
import { firstPaint } from '@/platform/firstPaint'
import { pageOverlay } from '@/platform/pageOverlay'
import { matchUrl } from '@/router/guard'
import { defaultMeta } from '@/router/meta'
import { isAllowed, nav, onPageShown, setCodeLoader } from '@/router/nav'
import { onConnectionLoadError, preloadConnection } from './connect'
import { recoverFromDeploy } from './deploy'

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

/** A page whose code is there and that is about to come on show. */
let mounting = false
let markMounting: () => void = () => undefined
/** ms after which a page that did not come on show no longer holds up the way back */
const MOUNT_TIMEOUT_MS = 1000

/**
 * Going back while a page is being mounted: the router still takes the old page for the one on show, does nothing, and
 * the new page appears under the old one's address. So the way back waits until the page is there.
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

/** Counts navigations: only the newest may show or hide the overlay, or mount its page. */
let navigationId = 0

/**
 * Loads a page's code with the placeholders of spec §2. A page the user has left meanwhile is never mounted (Taro
 * itself would mount it over the page on show).
 */
function loadWithOverlay(start: () => Promise<unknown>, path: string): Promise<unknown> {
  const mine = navigationId
  const current = () => mine === navigationId
  return new Promise((resolve) => {
    const attempt = () => {
      let over = false
      const settle = (then: () => void) => {
        if (over) return
        over = true
        clearTimeout(slow)
        clearTimeout(dead)
        if (current()) then()
      }
      const fail = () => settle(() => pageOverlay.error(attempt))
      const slow = setTimeout(() => current() && pageOverlay.loading(), PAGE_LOADING_DELAY)
      const dead = setTimeout(fail, PAGE_LOADING_TIMEOUT)
      start().then(
        (page) =>
          settle(() => {
            pageOverlay.hide()
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

/** The first line of the guard on h5: a protected page's code is not even requested. */
function guarded(route: Route): Route['load'] {
  const raw = route.load
  return (context, params) => {
    // the route's own path, not the address: an alias must not slip past the guard
    const url = `/${route.path}${window.location.search}`
    if (!isAllowed(url)) {
      // after the router has finished this navigation
      setTimeout(() => nav.admit(url), 0)
      return [NEVER, context, params]
    }
    // a page that the server has drawn comes with its answers
    if (!firstPaint.shown()) preloadConnection()
    return [loadWithOverlay(() => Promise.resolve(raw(context, params)[0]), route.path), context, params]
  }
}

/**
 * Called by the h5 entry (config/h5.ts) between the route list and Taro's router, which keeps what it finds: the only
 * place where loading can be wrapped.
 */
export function setupH5Router(config: H5Config) {
  // transitions break `position: fixed`, and going back during one could leave a blank page
  config.animation = false
  delayBackWhileMounting()
  onConnectionLoadError(recoverFromDeploy)
  window.addEventListener('touchstart', preloadConnection, { once: true, passive: true })
  eventCenter.on('__taroRouterChange', () => {
    navigationId++
    pageOverlay.hide()
  })
  const code = new Map(config.routes.map(({ path, load }) => [path, load]))
  setCodeLoader(async (path) => {
    try {
      await code.get(path)?.({}, {})[0]
    } catch (e) {
      await recoverFromDeploy()
      throw e
    }
  })
  for (const route of config.routes) {
    route.load = guarded(route)
    const match = matchUrl(`/${route.path}`)
    if (match) route.navigationBarTitleText = defaultMeta(match.name).title
  }
}
