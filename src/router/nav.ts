import { getCurrentPages, navigateBack, navigateTo, redirectTo, reLaunch, switchTab } from '@tarojs/taro'
import { uncover } from '@/platform/cover'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { firstPaint } from '@/platform/firstPaint'
import { launch } from '@/platform/launch'
import { appState, dispatch, inIosShell, isLoggedIn } from '@/session/store'
import { setLinkHandler } from '@/ui/Tap/Tap'
import { decide, loginRoutes, matchUrl, safeReturn } from './guard'
import { buildUrl, readParams, splitQuery } from './params'
import { type ParamsOf, type RouteName, routes } from './routes'
import { setTabParams } from './tabParams'

type Way = 'push' | 'replace' | 'relaunch'

const runtime: Record<Way, (o: { url: string }) => Promise<unknown>> = {
  push: navigateTo,
  replace: redirectTo,
  relaunch: reLaunch,
}

/** The login page of this platform (spec §6). */
export const loginRoute = device.hostLogin ? 'loginWx' : 'loginH5'

const isTab = (name: RouteName) => 'tab' in routes[name]
const pathOf = (url: string) => url.split('?')[0] ?? url

/** Whether a page of ours lies under the one on show. */
export const hasBack = () => getCurrentPages().length > 1

/** Route names on the stack, newest last; undefined for what is not ours. */
const stack = () => getCurrentPages().map((p) => matchUrl(pathOf(p.route ?? ''))?.name)

/** The page on show; kept by `page()`, because the runtime's own idea of it is late or undecoded. */
let shownUrl: string | undefined

/** Canonical address of the page on show. */
export const currentUrl = () => shownUrl

/** Pages the server draws before the app does (server/ssr): they say themselves when they stand. */
const serverRenderedPages: readonly (RouteName | undefined)[] = ['home', 'report', 'reportWxIframe']

/** Pages that are passed through: whoever is led back to them begins anew what is over. */
const transientPages: readonly RouteName[] = [
  ...loginRoutes,
  'humanCheckout',
  'payment',
  'evaluationFillInInfoRpaWebview',
  'evaluationFillInInfoSuccess',
]

/** Where the first page was reached from before it was loaded anew. */
let reachedFrom: string | undefined
/** A refresh takes the stack of pages away: "back" then leads to the last-from path (spec §2). */
export const rememberReload = () => {
  reachedFrom = launch.reloaded() ? appState().lastFromPath : undefined
}

/** The address "back" leads to where no page lies under the one on show. */
export function lastFromUrl(): string | undefined {
  const match = reachedFrom ? matchUrl(reachedFrom) : undefined
  return match && !transientPages.includes(match.name) ? match.url : undefined
}

const arrivals = new Set<() => void>()
/** Calls `listener` whenever a page has come on show. */
export const onPageShown = (listener: () => void) => void arrivals.add(listener)

/** A page came on show: remembers where the user was before (spec §2: every navigation records the last-from path). */
export function pageShown(url: string) {
  for (const listener of arrivals) listener()
  if (!serverRenderedPages.includes(matchUrl(url)?.name)) firstPaint.done()
  if (shownUrl === url) return
  if (shownUrl !== undefined) {
    dispatch({ type: 'navigated', from: shownUrl })
    reachedFrom = undefined
  }
  shownUrl = url
}

let loadCode: (path: string) => Promise<unknown> = () => Promise.resolve()
/** On h5 a page's code is fetched when the page is opened; `load` fetches it without opening. */
export const setCodeLoader = (load: typeof loadCode) => {
  loadCode = load
}

/** Whether the page could be opened now: its code is here afterwards, and no network is needed to move on. */
async function prepare(name: RouteName): Promise<boolean> {
  try {
    await loadCode(routes[name].path)
    return true
  } catch (e) {
    console.warn('page code failed to load', name, e)
    return false
  }
}

async function run(move: () => Promise<unknown>) {
  try {
    // an open sheet stands on the way back: it goes before the page does
    await uncover()
    await move()
  } catch (e) {
    console.warn('navigation failed', e)
    dialog.toast('页面打开失败，请重试')
  }
}

function open(way: Way, name: RouteName, url: string) {
  if (isTab(name)) {
    setTabParams(name, readParams(name, splitQuery(url.split('?')[1] ?? '')))
    // the mini-program refuses a query here; the page gets its parameters from the store
    return run(() => switchTab({ url: pathOf(url) }))
  }
  // The h5 stack compares paths only, so the same page twice in a row cannot be told apart on the way back.
  // The mini-program refuses an eleventh page.
  const full = getCurrentPages().length >= device.pageLimit
  const same = shownUrl !== undefined && pathOf(shownUrl) === pathOf(url)
  return run(() => runtime[way === 'push' && (full || same) ? 'replace' : way]({ url }))
}

function go<N extends RouteName>(way: Way, name: N, params?: ParamsOf<N>): Promise<void> {
  const decision = decide(buildUrl(name, params), { loggedIn: isLoggedIn() })
  if (decision.kind === 'login') return login(decision.back, way === 'replace' ? 'replace' : 'push')
  return decision.kind === 'open' ? open(way, decision.name, decision.url) : home()
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
function login(back = shownUrl, way: Way = 'push'): Promise<void> {
  return open(way, loginRoute, buildUrl(loginRoute, { redirect: safeReturn(back) }))
}

/** Go-home helper (spec §2): the iosApp page in the iOS shell, else the home tab. */
function home(): Promise<void> {
  return inIosShell() ? go('relaunch', 'iosApp') : go('push', 'home')
}

/** An address of the app given as text (message, banner, redirect); what the route table does not know goes home. */
function url(address: string | undefined, way: Way = 'push'): Promise<void> {
  const match = address ? matchUrl(address) : undefined
  if (!match) return home()
  const query = splitQuery(match.url.split('?')[1] ?? '')
  return go(way, match.name, readParams(match.name, query))
}

/** Leaves the login pages for where the user wanted to go; they cannot be reached by going back. */
async function afterLogin(redirect: string | undefined): Promise<void> {
  const logins = [...stack()].reverse().findIndex((name) => name === undefined || !loginRoutes.includes(name))
  if (logins > 1) await run(() => navigateBack({ delta: logins - 1 }))
  await url(safeReturn(redirect), 'replace')
}

let backConfirmation: (() => Promise<boolean>) | undefined

/** Whoever is left may be asked: `ask` says whether to go. The answer ends that. */
export function confirmBeforeBack(ask: () => Promise<boolean>): () => void {
  backConfirmation = ask
  return () => {
    if (backConfirmation === ask) backConfirmation = undefined
  }
}

/** One page back; where there is none, to where a refreshed page was reached from, else to `fallback`. */
async function back<N extends RouteName = 'home'>(fallback?: N, params?: ParamsOf<N>): Promise<void> {
  if (backConfirmation && !(await backConfirmation())) return
  if (hasBack()) return run(() => navigateBack({ delta: 1 }))
  const from = lastFromUrl()
  if (from) return url(from, 'replace')
  return fallback ? go('replace', fallback, params) : home()
}

/** The only module that calls the runtime's navigation. Every way is guarded; tabs are recognised by the route table. */
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
  prepare,
}

setLinkHandler({ follow: (href) => void (href === buildUrl('home') ? home() : url(href)) })
