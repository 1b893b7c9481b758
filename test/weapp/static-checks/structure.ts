/** app.json, page.json, sitemap, theme, tab bar, packages. */
import type { AppJson, ComponentJson } from '../bundle'
import { allPages } from '../bundle'
import { type Build, jsonOf, packageOf, resolved, textOf, type Violation, withEnding } from './files'

const MB = 1024 * 1024
/** bytes; WeChat refuses an upload above these */
const PACKAGE_MAX = 2 * MB
const TOTAL_MAX = 30 * MB
const ICON_MAX = 40 * 1024
const IMAGE_MAX = 200 * 1024

interface Sitemap {
  rules?: { action?: string; page?: string }[]
}

interface TabItem {
  pagePath: string
  text: string
  iconPath?: string
  selectedIconPath?: string
}

interface FullApp extends AppJson {
  entryPagePath?: string
  lazyCodeLoading?: string
  preloadRule?: Record<string, { packages?: string[]; network?: string }>
  sitemapLocation?: string
  themeLocation?: string
  darkmode?: boolean
  networkTimeout?: Record<string, number>
  requiredPrivateInfos?: string[]
  tabBar?: { custom?: boolean; list: TabItem[] }
  plugins?: object
}

const appKeys =
  'pages subPackages preloadRule darkmode themeLocation window tabBar lazyCodeLoading networkTimeout sitemapLocation entryPagePath requiredPrivateInfos permission usingComponents style resizable debug componentFramework'
const pageKeys =
  'navigationStyle navigationBarTitleText navigationBarBackgroundColor navigationBarTextStyle backgroundColor backgroundTextStyle enablePullDownRefresh onReachBottomDistance disableScroll usingComponents component styleIsolation enableShareAppMessage enableShareTimeline pageOrientation'
const known = (keys: string) => new Set(keys.split(' '))
const [ofApp, ofPage] = [known(appKeys), known(pageKeys)]

function* tabBar(app: FullApp, build: Build): Generator<Violation> {
  const list = app.tabBar?.list ?? []
  if (list.length < 2 || list.length > 5) yield `app.json: ${list.length} tabs, allowed are 2 to 5`
  for (const { pagePath, text, iconPath, selectedIconPath } of list) {
    if (!app.pages.includes(pagePath)) yield `app.json: tab ${pagePath} is not a page of the main package`
    if (!text) yield `app.json: tab ${pagePath} has no text`
    for (const icon of [iconPath, selectedIconPath]) {
      if (!icon) continue
      const content = build.get(icon)
      if (!content) yield `app.json: tab icon ${icon} is missing`
      else if (content.length > ICON_MAX) yield `app.json: tab icon ${icon} is larger than 40 KB`
      else if (!/\.(png|jpe?g)$/.test(icon)) yield `app.json: tab icon ${icon} is neither png nor jpg`
    }
  }
  if (app.tabBar?.custom)
    for (const ending of ['js', 'json', 'wxml'])
      if (!build.has(`custom-tab-bar/index.${ending}`)) yield `custom-tab-bar/index.${ending}: missing`
}

function* pages(app: FullApp, build: Build): Generator<Violation> {
  const all = allPages(app)
  const twice = all.filter((p, i) => all.indexOf(p) !== i)
  for (const page of twice) yield `app.json: page ${page} is named twice`
  for (const page of all)
    for (const ending of ['js', 'json', 'wxml']) if (!build.has(`${page}.${ending}`)) yield `${page}.${ending}: missing`
  for (const [file] of withEnding(build, '.wxml')) {
    const path = file.replace(/\.wxml$/, '')
    if (/(^|\/)pages\//.test(path) && !all.includes(path)) yield `${file}: a page app.json does not name`
  }
  if (app.entryPagePath && !all.includes(app.entryPagePath))
    yield `app.json: entry page ${app.entryPagePath} is unknown`
}

function* packages(app: FullApp, build: Build): Generator<Violation> {
  const roots = (app.subPackages ?? []).map(({ root }) => root)
  for (const page of app.pages)
    if (roots.some((root) => page.startsWith(`${root}/`))) yield `app.json: main page ${page} lies in a sub-package`
  const names = new Set((app.subPackages ?? []).flatMap((p) => [p.root, (p as { name?: string }).name]))
  for (const [page, { packages: wanted = [], network }] of Object.entries(app.preloadRule ?? {})) {
    if (!allPages(app).includes(page)) yield `app.json: preloadRule of unknown page ${page}`
    for (const name of wanted) if (!names.has(name)) yield `app.json: preloadRule names unknown package ${name}`
    if (network && network !== 'all' && network !== 'wifi') yield `app.json: preloadRule network ${network}`
  }
  if (roots.length > 0 && !app.preloadRule) yield 'app.json: no preloadRule, the sub-package loads on the first tap'
  const bytes = new Map<string, number>()
  for (const [file, content] of build) bytes.set(packageOf(file), (bytes.get(packageOf(file)) ?? 0) + content.length)
  for (const [name, size] of bytes) if (size > PACKAGE_MAX) yield `package ${name}: ${size} bytes, WeChat takes 2 MB`
  const total = [...bytes.values()].reduce((a, b) => a + b, 0)
  if (total > TOTAL_MAX) yield `all packages: ${total} bytes, WeChat takes 30 MB`
}

/** Pages search engines may show; all others belong to a user. */
function* sitemap(app: FullApp, build: Build, publicPages: readonly string[]): Generator<Violation> {
  if (!app.sitemapLocation) return yield 'app.json: no sitemapLocation, every page could be indexed'
  const { rules } = jsonOf<Sitemap>(build, app.sitemapLocation) ?? {}
  if (!Array.isArray(rules)) return yield `${app.sitemapLocation}: no list of rules`
  for (const { action, page } of rules) {
    if (action !== 'allow' && action !== 'disallow') yield `${app.sitemapLocation}: unknown action ${action}`
    if (page !== '*' && !allPages(app).includes(page ?? '')) yield `${app.sitemapLocation}: unknown page ${page}`
    if (action === 'allow' && !publicPages.includes(page ?? ''))
      yield `${app.sitemapLocation}: ${page} is not open to everybody`
  }
  const last = rules.at(-1)
  if (last?.action !== 'disallow' || last.page !== '*')
    yield `${app.sitemapLocation}: the last rule must disallow everything else`
}

function* theme(app: FullApp, build: Build): Generator<Violation> {
  const used = new Set<string>()
  for (const part of [app.window, app.tabBar])
    for (const value of Object.values(part ?? {}))
      if (typeof value === 'string' && value.startsWith('@')) used.add(value.slice(1))
  if (used.size > 0 && !app.darkmode) yield 'app.json: colours by @name need darkmode'
  const file = app.themeLocation ?? 'theme.json'
  const themes = jsonOf<Record<string, Record<string, string>>>(build, file)
  if (app.darkmode && !themes) yield `${file}: missing or not JSON`
  for (const name of used)
    for (const side of ['light', 'dark'])
      if (themes && themes[side]?.[name] === undefined) yield `${file}: no ${side} value of @${name}`
}

function* settings(app: FullApp): Generator<Violation> {
  for (const key of Object.keys(app)) if (!ofApp.has(key)) yield `app.json: unknown or unused key ${key}`
  if (app.lazyCodeLoading !== 'requiredComponents') yield 'app.json: lazyCodeLoading is not requiredComponents'
  for (const [name, ms] of Object.entries(app.networkTimeout ?? {}))
    if (!(Number.isInteger(ms) && ms > 0)) yield `app.json: networkTimeout.${name} ${ms}`
}

function* components(build: Build): Generator<Violation> {
  for (const [file, text] of withEnding(build, '.json')) {
    let json: ComponentJson
    try {
      json = JSON.parse(text) as ComponentJson
    } catch {
      yield `${file}: not JSON`
      continue
    }
    if (!/(^|\/)(pages|custom-tab-bar)\/|^comp\.json$/.test(file)) continue
    for (const key of Object.keys(json)) if (!ofPage.has(key)) yield `${file}: unknown key ${key}`
    for (const [tag, target] of Object.entries(json.usingComponents ?? {})) {
      const path = resolved(file, target)
      const found = jsonOf<ComponentJson>(build, `${path}.json`)
      if (!found?.component) yield `${file}: <${tag}> is not a component: ${path}`
      if (packageOf(file) === 'main' && packageOf(path) !== 'main') yield `${file}: <${tag}> lies in a sub-package`
    }
  }
}

function* kinds(build: Build): Generator<Violation> {
  for (const [file, content] of build) {
    if (!/\.(js|json|wxml|wxss|wxs|png|jpe?g|gif|svg|webp)$/.test(file)) yield `${file}: does not belong into a package`
    if (/\.(png|jpe?g|gif|svg|webp)$/.test(file) && content.length > IMAGE_MAX) yield `${file}: picture above 200 KB`
  }
}

/** @param publicPages paths of the pages anybody may open */
export function structureViolations(build: Build, publicPages: readonly string[]): Violation[] {
  const always = [...components(build), ...kinds(build)]
  const app = jsonOf<FullApp>(build, 'app.json')
  if (!app) return [...always, textOf(build, 'app.json') === undefined ? 'app.json: missing' : 'app.json: not usable']
  const ofAll = [pages, packages, tabBar, theme].flatMap((rule) => [...rule(app, build)])
  return [...always, ...ofAll, ...settings(app), ...sitemap(app, build, publicPages)]
}

/** `requiredPrivateInfos` of app.json, for the rule that compares it with what scripts call. */
export const privateInfos = (build: Build) => jsonOf<FullApp>(build, 'app.json')?.requiredPrivateInfos ?? []
