import { getCurrentPages, navigateBack, navigateTo, redirectTo, reLaunch } from '@tarojs/taro'
import { closeOverlays } from '@/platform/backHandler'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { firstScreen } from '@/platform/firstScreen'
import { launch } from '@/platform/launch'
import { switchTab } from '@/platform/tabs'
import { appState, dispatch, isInIosApp, isLoggedIn } from '@/session/store'
import { setLinkHandler } from '@/ui/Pressable/Pressable'
import { decide, loginRoutes, matchUrl } from './guard'
import { safeReturn } from './loginReturn'
import { buildUrl, readParams, splitQuery } from './params'
import { type ParamsOf, type RouteName, routes } from './routes'
import { setTabParams } from './tabParams'

type NavigationMethod = 'push' | 'replace' | 'relaunch'

const runtime: Record<NavigationMethod, (o: { url: string }) => Promise<unknown>> = {
  push: navigateTo,
  replace: redirectTo,
  relaunch: reLaunch,
}

/** The login page of this platform (spec §6). */
export const loginRoute = device.hasNativeLogin ? 'loginWx' : 'loginH5'

const isTab = (name: RouteName) => 'tab' in routes[name]
const pathOf = (url: string) => url.split('?')[0] ?? url

/** Whether there is a page below the current one. */
export const hasBack = () => getCurrentPages().length > 1

/** Route names of the page stack, current page last; undefined for unknown paths. */
const stack = () => getCurrentPages().map((p) => matchUrl(pathOf(p.route ?? ''))?.name)

/** Canonical URL of the page below the current one. */
function urlBelow(): string | undefined {
  const pages = getCurrentPages()
  const page = pages[pages.length - 2]
  const name = page && matchUrl(pathOf(page.route ?? ''))?.name
  return name && buildUrl(name, readParams(name, page.$taroParams ?? {}))
}

/** Whether the page below is the one at `url`; without parameters any view of it is meant, such as another tab. */
function isBelow(url: string): boolean {
  const below = urlBelow()
  return below !== undefined && (below === url || pathOf(below) === url)
}

/** URL of the current page, maintained by `page()`, because the runtime's own is late or not decoded. */
let shownUrl: string | undefined

/** Canonical URL of the current page. */
export const currentUrl = () => shownUrl

/** Pages the server draws before the app does (server/ssr): they report themselves when they are rendered. */
const serverRenderedPages: readonly (RouteName | undefined)[] = ['home', 'report', 'reportWxIframe']

/** Pages that are never a back target, because returning would restart a finished process. */
const transientPages: readonly RouteName[] = [
  ...loginRoutes,
  'humanCheckout',
  'payment',
  'evaluationFillInInfoRpaWebview',
  'evaluationFillInInfoSuccess',
]

/** Path that was left for the page now reloaded. */
let pathBeforeReload: string | undefined
/** A reload loses the page stack: "back" then leads to the path left last (spec §2: last-from path). */
export const rememberReload = () => {
  pathBeforeReload = launch.reloaded() ? appState().lastFromPath : undefined
}

/** Target of "back" when there is no page below the current one. */
export function backUrlAfterReload(): string | undefined {
  const match = pathBeforeReload ? matchUrl(pathBeforeReload) : undefined
  return match && !transientPages.includes(match.name) ? match.url : undefined
}

const arrivals = new Set<() => void>()
/** Calls `listener` whenever a page is shown. */
export const onPageShown = (listener: () => void) => void arrivals.add(listener)

/** Records the path that is left when another page is shown (spec §2). */
export function pageShown(url: string) {
  for (const listener of arrivals) listener()
  if (!serverRenderedPages.includes(matchUrl(url)?.name)) firstScreen.remove()
  if (shownUrl === url) return
  if (shownUrl !== undefined) {
    dispatch({ type: 'navigated', from: shownUrl })
    pathBeforeReload = undefined
  }
  shownUrl = url
}

async function run(move: () => Promise<unknown>) {
  try {
    // close open sheets first: they occupy a history entry
    await closeOverlays()
    await move()
  } catch (e) {
    console.warn('navigation failed', e)
    dialog.toast('页面打开失败，请重试')
  }
}

/** Navigations that have not finished. */
const running = new Set<string>()

async function open(method: NavigationMethod, name: RouteName, url: string): Promise<void> {
  if (isTab(name)) {
    setTabParams(name, readParams(name, splitQuery(url.split('?')[1] ?? '')))
    // the mini-program refuses a query here; the page gets its parameters from the store
    return run(() => switchTab(pathOf(url)))
  }
  // The h5 stack compares paths only, so it cannot go back between two entries of the same page.
  // The mini-program's stack is limited to ten pages.
  const full = getCurrentPages().length >= device.pageLimit
  const same = shownUrl !== undefined && pathOf(shownUrl) === pathOf(url)
  const actual = method === 'push' && (full || same) ? 'replace' : method
  // a timer and a tap, or two taps, ask for the same page
  const asked = `${actual} ${url}`
  if (running.has(asked)) return
  running.add(asked)
  await run(() =>
    // replacing onto the page below would leave a stale copy of it under the new one
    actual === 'replace' && isBelow(url) ? navigateBack({ delta: 1 }) : runtime[actual]({ url }),
  )
  running.delete(asked)
}

function go<N extends RouteName>(method: NavigationMethod, name: N, params?: ParamsOf<N>): Promise<void> {
  const decision = decide(buildUrl(name, params), { loggedIn: isLoggedIn() })
  if (decision.kind === 'login') return login(decision.back, method === 'replace' ? 'replace' : 'push')
  return decision.kind === 'open' ? open(method, decision.name, decision.url) : home()
}

/** Whether the guard lets the current user open `url`. */
export const isAllowed = (url: string) => decide(url, { loggedIn: isLoggedIn() }).kind === 'open'

/** Replaces the current page with the login page if `url` needs a login. @returns whether the page may be shown */
function admit(url: string): boolean {
  const decision = decide(url, { loggedIn: isLoggedIn() })
  if (decision.kind === 'login') void login(decision.back, 'replace')
  return decision.kind === 'open'
}

/** Opens the login page, which leads on to `back` (default: the current page). */
function login(back = shownUrl, method: NavigationMethod = 'push'): Promise<void> {
  return open(method, loginRoute, buildUrl(loginRoute, { redirect: safeReturn(back) }))
}

/** Go-home helper (spec §2): the iosApp page in the iOS app, else the home tab. */
function home(): Promise<void> {
  return isInIosApp() ? go('relaunch', 'iosApp') : go('push', 'home')
}

/** Opens an app URL from a message, banner or redirect; unknown ones open the home page. */
function url(address: string | undefined, method: NavigationMethod = 'push'): Promise<void> {
  const match = address ? matchUrl(address) : undefined
  if (!match) return home()
  const query = splitQuery(match.url.split('?')[1] ?? '')
  return go(method, match.name, readParams(match.name, query))
}

/** Leaves the login pages for the redirect target and removes them from the stack. */
async function afterLogin(redirect: string | undefined): Promise<void> {
  const logins = [...stack()].reverse().findIndex((name) => name === undefined || !loginRoutes.includes(name))
  if (logins > 1) await run(() => navigateBack({ delta: logins - 1 }))
  await url(safeReturn(redirect), 'replace')
}

let backConfirmation: (() => Promise<boolean>) | undefined

/** Lets `ask` confirm before going back. @returns unregisters it */
export function confirmBeforeBack(confirm: () => Promise<boolean>): () => void {
  backConfirmation = confirm
  return () => {
    if (backConfirmation === confirm) backConfirmation = undefined
  }
}

/** Goes back one page; without one, on a reloaded page to the path left last, else to `fallback`. */
async function back<N extends RouteName = 'home'>(fallback?: N, params?: ParamsOf<N>): Promise<void> {
  if (backConfirmation && !(await backConfirmation())) return
  if (hasBack()) return run(() => navigateBack({ delta: 1 }))
  const from = backUrlAfterReload()
  if (from) return url(from, 'replace')
  return fallback ? go('replace', fallback, params) : home()
}

/** The only module that calls the runtime's navigation. All methods are guarded; tabs follow from the route table. */
export const nav = {
  to: <N extends RouteName>(name: N, params?: ParamsOf<N>) => go('push', name, params),
  redirect: <N extends RouteName>(name: N, params?: ParamsOf<N>) => go('replace', name, params),
  relaunch: <N extends RouteName>(name: N, params?: ParamsOf<N>) => go('relaunch', name, params),
  tab: <N extends RouteName>(name: N, params?: ParamsOf<N>) => go('push', name, params),
  url,
  back,
  home,
  login,
  admit,
  afterLogin,
}

setLinkHandler({ follow: (href) => void (href === buildUrl('home') ? home() : url(href)) })
