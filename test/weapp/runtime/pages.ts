/** One page of the stack: scripts, component tree and life cycle. */
import type * as glassEasel from 'glass-easel'
import type { CodeSpace, Root } from 'glass-easel-miniprogram-adapter'
import type { Bundle } from '../bundle'
import type { Require } from './modules'
import { backend, type DefiningGlobals, defining } from './space'
import { active, guarded } from './state'

export type Query = Record<string, string>

/** A page as the app sees it in `getCurrentPages()`. */
export interface PageInstance {
  route: string
  options: Query
  data: object
  /** the glass-easel component */
  _$: glassEasel.GeneralComponent
  setData(data: object, callback?: () => void): void
  createSelectorQuery(): unknown
  createIntersectionObserver(options?: object): unknown
  [name: string]: unknown
}

/** Injects scripts on first use, as `lazyCodeLoading: requiredComponents` does, and gives them their globals. */
export class Files {
  private readonly injected = new Set<string>()
  /** bound to the file being injected */
  current: DefiningGlobals | undefined

  constructor(
    private readonly bundle: Bundle,
    private readonly space: CodeSpace,
    private readonly load: () => Require,
  ) {
    const templates = window.hostTemplates
    for (const [file, json] of Object.entries(bundle.json)) space.addComponentStaticConfig(file, json as never)
    for (const [file, content] of Object.entries(templates)) {
      space.addCompiledTemplate(file, { groupList: templates, content } as never)
    }
  }

  inject(file: string) {
    if (this.injected.has(file)) return
    this.injected.add(file)
    for (const target of Object.values(this.bundle.json[file]?.usingComponents ?? {}))
      this.inject(absolute(file, target))
    defining(this.space, file, (globals) => {
      const outer = this.current
      this.current = globals
      this.load()(`${file}.js`)
      this.current = outer
    })
  }

  root(file: string): Root {
    this.inject(file)
    return backend.createRoot('wx-page', this.space, file)
  }
}

function absolute(file: string, target: string): string {
  return new URL(target, `http://x/${file}`).pathname.slice(1)
}

/** Puts a style sheet of the app into the document; `undefined` when the file has none. */
export function addStyle(css: string | undefined): HTMLStyleElement | undefined {
  if (!css) return undefined
  const style = document.createElement('style')
  style.textContent = css
  document.head.append(style)
  return style
}

function mount(root: Root, into: HTMLElement) {
  const placeholder = document.createElement('span')
  into.append(placeholder)
  root.attach(into as never, placeholder as never)
}

export class LivePage {
  readonly instance: PageInstance
  private readonly element = document.createElement('wx-page-host')
  private readonly roots: Root[] = []
  private readonly style: HTMLStyleElement | undefined
  private scrolled = 0
  private shown = false

  constructor(
    readonly path: string,
    readonly query: Query,
    files: Files,
    bundle: Bundle,
  ) {
    this.style = addStyle(bundle.styles[path])
    document.querySelector('#pages')?.append(this.element)
    const root = files.root(path)
    this.roots.push(root)
    this.instance = root.get() as unknown as PageInstance
    this.instance.route = path
    this.instance.options = query
    mount(root, this.element)
    if (bundle.app.tabBar?.custom && bundle.app.tabBar.list.some((t) => t.pagePath === path)) this.addTabBar(files)
    this.call('onLoad', { ...query })
  }

  private addTabBar(files: Files) {
    const bar = files.root('custom-tab-bar/index')
    this.roots.push(bar)
    mount(bar, this.element)
    const caller = bar.get()
    this.instance.getTabBar = () => caller
  }

  /** Calls a life-cycle function of the app's page, when it has one. */
  call(name: string, ...args: unknown[]): unknown {
    active()
    const fn = this.instance[name]
    return typeof fn === 'function' ? guarded(`${this.path} ${name}`, () => fn.apply(this.instance, args)) : undefined
  }

  has = (name: string) => typeof this.instance[name] === 'function'

  show() {
    const first = !this.shown
    this.element.hidden = false
    if (this.style) this.style.disabled = false
    window.scrollTo(0, this.scrolled)
    this.shown = true
    this.call('onShow')
    // onReady is called after the first rendering
    if (first) requestAnimationFrame(() => setTimeout(() => this.call('onReady')))
  }

  hide(tellApp = true) {
    this.scrolled = window.scrollY
    this.element.hidden = true
    if (this.style) this.style.disabled = true
    if (tellApp) this.call('onHide')
  }

  unload() {
    this.call('onUnload')
    for (const root of this.roots) root.release()
    this.element.remove()
    this.style?.remove()
  }
}
