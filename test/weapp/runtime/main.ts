/** Entry: reads the bundle, cold-starts the app, and exposes the probe to the driver. */
import { defineBuiltIns } from './builtins'
import type { Launch, Shared } from './host'
import { createRequire, type Require } from './modules'
import { addStyle, Files } from './pages'
import { Router } from './router'
import { createSpace } from './space'
import { active, counters, guarded, phone, pictures, problem, problems, quietFor, toasts } from './state'
import { appEvents, createWx } from './wx/index'
import { networkChanged } from './wx/network'
import { updateReady } from './wx/operations'
import { readClipboard, readTitle } from './wx/ui'

type App = Record<string, unknown>

const bundle = window.hostBundle
const space = createSpace()
defineBuiltIns(space, bundle.tags)
const files = new Files(bundle, space, () => load)
const router = new Router(bundle, files)
let app: App = {}
let wx: Record<string, unknown> = {}
let load: Require

function callHook(name: string, ...args: unknown[]) {
  const fn = app[name]
  if (typeof fn === 'function') guarded(`App ${name}`, () => fn.apply(app, args))
  return typeof fn === 'function'
}

function definition(name: 'Page' | 'Component' | 'Behavior') {
  return (config: never) => {
    if (!files.current) throw new Error(`${name}() may only be called while a page or component file is injected`)
    return (files.current[name] as (c: never) => unknown)(config)
  }
}

function globals(launch: Launch) {
  wx = createWx({ router, launch, official: bundle.apiNames })
  return {
    wx,
    App: (config: App) => {
      app = config
    },
    getApp: () => app,
    getCurrentPages: () => router.pages.map((p) => p.instance),
    Page: definition('Page'),
    Component: definition('Component'),
    Behavior: definition('Behavior'),
  }
}

/** the page a card in a chat opens */
const SCENE_OF_A_CARD = 1007
let entry: Launch

const searchOf = (query: Record<string, string>) => {
  const pairs = Object.entries(query).map(([key, value]) => `${key}=${value}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

/** The app is shown: after a cold start, from the background, or by another link. */
function enter(by: Launch) {
  entry = by
  const options = { ...by, query: { ...by.query }, referrerInfo: {} }
  callHook('onShow', options)
  appEvents.show.fire(options)
}

function start(launch: Launch) {
  addStyle(bundle.styles.app)
  load = createRequire(window.hostCode, bundle.languageGlobals, globals(launch))
  load('app.js')
  const options = { ...launch, query: { ...launch.query }, referrerInfo: {} }
  callHook('onLaunch', options)
  enter(launch)
  if (router.isPage(launch.path)) router.open(launch.path, launch.query)
  else if (!callHook('onPageNotFound', { path: launch.path, query: launch.query, isEntryPage: true }))
    problem(`page "${launch.path}" is not found`)
}

function watchPage() {
  window.addEventListener('scroll', () => {
    const page = router.top
    if (!page) return
    if (page.has('onPageScroll')) page.call('onPageScroll', { scrollTop: window.scrollY })
    const left = document.documentElement.scrollHeight - window.innerHeight - window.scrollY
    if (left <= (bundle.json[page.path]?.onReachBottomDistance ?? 50)) page.call('onReachBottom')
  })
  window.addEventListener('error', (e) => {
    problem('uncaught:', e.error ?? e.message)
    callHook('onError', String(e.message))
    appEvents.error.fire(String(e.message))
  })
  window.addEventListener('unhandledrejection', (e) => {
    problem('unhandled rejection:', e.reason)
    callHook('onUnhandledRejection', { reason: e.reason })
    appEvents.rejection.fire({ reason: e.reason })
  })
}

const shared: Shared[] = []
type ShareData = { title?: string; path?: string; imageUrl?: string }

/** WeChat asks the page for its share data; a page without a handler shares itself. */
async function share(from: 'button' | 'menu') {
  const page = router.top
  if (!page?.has('onShareAppMessage')) return problem(`${page?.path} cannot be shared`)
  const told = page.call('onShareAppMessage', { from, target: undefined }) as
    | (ShareData & { promise?: Promise<ShareData> })
    | undefined
  const data = (await told?.promise) ?? told
  const { title = '', path: address = page.path, imageUrl } = data ?? {}
  const [path = '', search = ''] = address.replace(/^\//, '').split(/\?(.*)/s)
  if (!router.isPage(path)) problem(`shared page "${path}" is not found`)
  const pairs = search.split('&').filter(Boolean)
  const query = Object.fromEntries(pairs.map((pair) => pair.split(/=(.*)/s) as [string, string]))
  if (!imageUrl) problem(`${page.path} is shared without a picture: its friends would see the page as it is`)
  shared.push({ title, path, query, imageUrl })
}

function pullDown() {
  const page = router.top
  if (!page) return
  if (!bundle.json[page.path]?.enablePullDownRefresh) throw new Error(`${page.path} has no pull-down refresh`)
  page.call('onPullDownRefresh')
}

window.probe = {
  phone: new Proxy(phone, {
    set(target, key, value) {
      const changed = key === 'online' && target.online !== value
      Reflect.set(target, key, value)
      if (changed) networkChanged()
      return true
    },
  }),
  problems,
  toasts,
  counters,
  clipboard: readClipboard,
  title: readTitle,
  stack: () => router.pages.map(({ path, query }) => ({ path, query })),
  resetCounters: () => Object.assign(counters, { calls: 0, bytes: 0 }),
  quietFor,
  active,
  navigateTo: (url) => router.navigateTo(url),
  back: () => router.navigateBack(),
  drawn() {
    const { path, instance } = router.top ?? {}
    if (!path || !instance) throw new Error('no page is on show')
    const dom = document.querySelector('wx-page-host:not([hidden])')?.cloneNode(true) as HTMLElement
    for (const e of dom.querySelectorAll('wx-rich-text, wx-web-view')) e.remove()
    return { path, data: instance.data, text: dom.textContent ?? '' }
  },
  share,
  shared,
  wx: (name, options) => (wx[name] as (o?: object) => unknown)(options),
  pullDown,
  background: () => {
    router.top?.call('onHide')
    callHook('onHide')
    appEvents.hide.fire()
  },
  foreground: () => {
    enter(entry)
    router.top?.call('onShow')
  },
  reopen(path, query) {
    router.top?.call('onHide')
    callHook('onHide')
    appEvents.hide.fire()
    enter({ path, query, scene: SCENE_OF_A_CARD })
    // as WeChat does for a link: its page replaces the whole stack
    router.reLaunch(`/${path}${searchOf(query)}`)
  },
  updateReady,
  booted: false,
}

watchPage()
const { phone: given, launch, pictures: served } = await window.hostLaunch()
Object.assign(phone, given)
Object.assign(pictures, served)
guarded('start', () => start(launch))
active()
window.probe.booted = true
