/** The page stack with WeChat's rules and errors. */
import { allPages, type Bundle } from '../bundle'
import { type Files, LivePage, type Query } from './pages'
import { closeCover } from './state'
import { Refused } from './wx/call'

const STACK_LIMIT = 10

interface Target {
  path: string
  query: Query
  search: string
}

export class Router {
  private stack: LivePage[] = []
  private readonly tabs = new Map<string, LivePage>()
  private readonly tabPaths: ReadonlySet<string>
  private readonly known: ReadonlySet<string>

  constructor(
    private readonly bundle: Bundle,
    private readonly files: Files,
  ) {
    this.known = new Set(allPages(bundle.app))
    this.tabPaths = new Set(bundle.app.tabBar?.list.map((t) => t.pagePath))
  }

  get pages(): readonly LivePage[] {
    return this.stack
  }

  get top(): LivePage | undefined {
    return this.stack.at(-1)
  }

  isPage = (path: string) => this.known.has(path)

  /** Query values stay undecoded, as on a device. */
  private target(url: unknown): Target {
    if (typeof url !== 'string' || url === '') throw new Refused('parameter error: parameter.url should be String')
    const [bare = '', search = ''] = url.split(/\?(.*)/s)
    const base = this.top ? `http://x/${this.top.path}` : 'http://x/'
    const path = decodeURI(new URL(bare, base).pathname.slice(1))
    if (!this.known.has(path)) throw new Refused(`page "${path}" is not found`)
    const query: Query = {}
    for (const pair of search.split('&').filter(Boolean)) {
      const [key = '', value = ''] = pair.split(/=(.*)/s)
      query[key] = value
    }
    return { path, query, search }
  }

  private create({ path, query }: Target): LivePage {
    const page = new LivePage(path, query, this.files, this.bundle)
    if (this.tabPaths.has(path)) this.tabs.set(path, page)
    return page
  }

  /** Shows `page` as the only or topmost page. */
  private present(page: LivePage, below: LivePage[]) {
    this.stack = [...below, page]
    page.show()
  }

  open(path: string, query: Query) {
    this.present(this.create({ path, query, search: '' }), [])
  }

  navigateTo = (url: unknown) => {
    const target = this.target(url)
    if (this.tabPaths.has(target.path)) throw new Refused('can not navigateTo a tabbar page')
    if (this.stack.length >= STACK_LIMIT) throw new Refused('webview count limit exceed')
    this.top?.hide()
    this.present(this.create(target), this.stack)
  }

  redirectTo = (url: unknown) => {
    const target = this.target(url)
    if (this.tabPaths.has(target.path)) throw new Refused('can not redirectTo a tabbar page')
    const old = this.top
    old?.hide(false)
    this.forget(old)
    this.present(this.create(target), this.stack.slice(0, -1))
  }

  reLaunch = (url: unknown) => {
    const target = this.target(url)
    this.top?.hide(false)
    const old = new Set([...this.stack, ...this.tabs.values()])
    for (const page of old) this.forget(page)
    this.present(this.create(target), [])
  }

  switchTab = (url: unknown) => {
    const target = this.target(url)
    if (!this.tabPaths.has(target.path)) throw new Refused('can not switch to no-tabBar page')
    if (target.search !== '') throw new Refused('url not support queryString')
    if (this.stack.length === 1 && this.top?.path === target.path) return
    this.top?.hide(this.top && this.tabPaths.has(this.top.path))
    for (const page of this.stack) if (!this.tabPaths.has(page.path)) this.forget(page)
    this.present(this.tabs.get(target.path) ?? this.create(target), [])
  }

  navigateBack = (delta = 1) => {
    if (closeCover()) return
    if (this.stack.length <= 1) throw new Refused('cannot navigate back at first page.')
    const keep = Math.max(1, this.stack.length - delta)
    const gone = this.stack.slice(keep)
    this.top?.hide(false)
    for (const page of gone.reverse()) this.forget(page)
    this.stack = this.stack.slice(0, keep)
    this.top?.show()
  }

  private forget(page: LivePage | undefined) {
    if (!page) return
    this.tabs.delete(page.path)
    page.unload()
  }
}
