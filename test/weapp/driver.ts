/** Actions of a test on a running mini-program. */
import type { Locator, Page } from 'playwright-core'
import { DOUBLE_TAP_BLOCK } from '../../src/contract/constants'
import type { Counters, Drawn, Launch, Phone, Shared } from './runtime/host'

/** ms; only a failing test waits that long on a busy machine */
const WAIT_MS = 60_000
/** ms without activity after which the app counts as idle */
const QUIET_MS = 200
/** ms between two taps on the same element: the app suppresses sooner ones as double taps (spec §5) */
const TAP_AGAIN_MS = DOUBLE_TAP_BLOCK + 50
/** Opened from the list of recently used mini-programs. */
const SCENE = 1089

export class MiniProgram {
  /** read by the runtime at every cold start */
  launch: Launch = { path: 'pages/home/index', query: {}, scene: SCENE }
  /** URLs requested by `wx.request`, oldest first */
  readonly sent: string[] = []
  /** ms of the last tap by target */
  private readonly taps = new Map<string | Locator, number>()

  constructor(
    readonly page: Page,
    private readonly site: string,
    readonly phone: Phone,
    private readonly closed: () => void,
  ) {
    page.setDefaultTimeout(WAIT_MS)
  }

  /** Cold start at `path`; storage survives. `query` values arrive as they are written, undecoded. */
  async start(path = 'pages/home/index', query: Record<string, string> = {}): Promise<void> {
    this.launch = { path, query, scene: SCENE }
    await this.page.goto(`${this.site}/`)
    await this.page.waitForFunction(() => window.probe?.booted)
    await this.idle()
  }

  /** Stores a login of `who` on the phone; takes effect at the next start. */
  async signIn(who: object): Promise<void> {
    await this.page.goto(`${this.site}/empty`)
    const session = JSON.stringify(JSON.stringify({ version: 1, data: who }))
    await this.page.evaluate((text) => localStorage.setItem('weapp:session', text), session)
  }

  /** Waits until no request is under way and nothing was drawn for a moment. */
  async idle(): Promise<void> {
    // the last action may not have had an effect yet
    await this.page.evaluate(() => window.probe.active())
    await this.page.waitForFunction((ms) => window.probe.quietFor() > ms, QUIET_MS)
  }

  /** The visible page, or the dialog over it. */
  get top(): Locator {
    return this.page.locator('wx-page-host:not([hidden]), .host-modal').last()
  }

  /** `.class`, `#id` and `[attribute]` are selectors; anything else is the exact text on show. */
  find(target: string): Locator {
    const found = /^[.#[]/.test(target) ? this.top.locator(target) : this.top.getByText(target, { exact: true })
    return found.filter({ visible: true }).first()
  }

  async tap(target: string | Locator): Promise<void> {
    // the app does not see taps on WeChat's own dialogs in between
    const since = Date.now() - (this.taps.get(target) ?? 0)
    if (since < TAP_AGAIN_MS) await this.page.waitForTimeout(TAP_AGAIN_MS - since)
    await (typeof target === 'string' ? this.find(target) : target).tap()
    // measured when the tap was executed, which on a busy machine is later than when it was requested
    this.taps.set(target, Date.now())
    await this.idle()
  }

  /** Types into the field with this placeholder or selector. */
  async type(target: string, text: string): Promise<void> {
    const field = /^[.#[]/.test(target)
      ? this.find(`${target} input, ${target} textarea`)
      : this.top.getByPlaceholder(target)
    await field.filter({ visible: true }).first().fill(text)
    await this.idle()
  }

  /** All visible text of the current page. */
  text(): Promise<string> {
    return this.top.innerText()
  }

  /** Waits until `text` is visible on the current page. */
  async see(text: string | RegExp): Promise<void> {
    await this.top.getByText(text).filter({ visible: true }).first().waitFor()
  }

  /** Waits until `text` is no longer visible on the current page. */
  async gone(text: string | RegExp): Promise<void> {
    await this.top.getByText(text).filter({ visible: true }).first().waitFor({ state: 'hidden' })
  }

  drawn(): Promise<Drawn> {
    return this.page.evaluate(() => window.probe.drawn())
  }

  async stack(): Promise<{ path: string; query: Record<string, string> }[]> {
    return this.page.evaluate(() => window.probe.stack())
  }

  /** Path of the current page. */
  async route(): Promise<string | undefined> {
    return (await this.stack()).at(-1)?.path
  }

  /** Waits until the current page is the one at `path`. */
  async at(path: string): Promise<void> {
    await this.page.waitForFunction((p) => window.probe.stack().at(-1)?.path === p, path)
    await this.idle()
  }

  /** Navigates the running app to a page, as a share card or a scan does. */
  async navigateTo(url: string): Promise<void> {
    await this.page.evaluate((u) => window.probe.navigateTo(u), url)
    await this.idle()
  }

  /** The system's back navigation. */
  async back(): Promise<void> {
    await this.page.evaluate(() => window.probe.back())
    await this.idle()
  }

  /** The running app is opened by another link: a card, a code. `query` as in `start`. */
  async reopen(path: string, query: Record<string, string> = {}): Promise<void> {
    await this.page.evaluate(([p, q]) => window.probe.reopen(p, q), [path, query] as const)
    await this.idle()
  }

  async pullDown(): Promise<void> {
    await this.page.evaluate(() => window.probe.pullDown())
    await this.idle()
  }

  /** Changes how the phone behaves, at once and for later starts: network, login, phone number. */
  async set(change: Partial<Phone>): Promise<void> {
    Object.assign(this.phone, change)
    await this.page.evaluate((p) => window.probe && Object.assign(window.probe.phone, p), change)
  }

  /** Errors of the app so far. */
  problems(): Promise<string[]> {
    return this.page.evaluate(() => window.probe.problems)
  }

  toasts(): Promise<string[]> {
    return this.page.evaluate(() => window.probe.toasts)
  }

  clipboard(): Promise<string> {
    return this.page.evaluate(() => window.probe.clipboard())
  }

  /** The shared page: from WeChat's menu, or from the page's own button when it was just tapped. */
  async shared(from: 'menu' | 'button'): Promise<Shared> {
    const given = await this.page.evaluate(async (how) => {
      if (how === 'menu') await window.probe.share('menu')
      return window.probe.shared.at(-1)
    }, from)
    if (!given) throw new Error('nothing was shared')
    return given
  }

  /** setData since the start, or since `measure` began. */
  counters(): Promise<Counters> {
    return this.page.evaluate(() => window.probe.counters)
  }

  /** setData caused by `action` until the app is idle again. */
  async measure(action: () => Promise<void>): Promise<Counters> {
    await this.page.evaluate(() => window.probe.resetCounters())
    await action()
    await this.idle()
    return this.counters()
  }

  /** px by which the current page scrolls sideways; should be 0 */
  sidewaysScroll(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  }

  /** URLs of pictures of the current page that failed to load; waits for pending ones. Should be empty. */
  brokenPictures(): Promise<string[]> {
    return this.top.locator('img').evaluateAll(async (all) => {
      const shown = (all as HTMLImageElement[]).filter((img) => img.src !== '')
      const ends = shown.map((img) =>
        img.decode().then(
          () => undefined,
          () => img.src,
        ),
      )
      return (await Promise.all(ends)).filter((src) => src !== undefined)
    })
  }

  /** For people to look at: `PICTURES=1`. */
  async screenshot(file: string, fullPage = false): Promise<void> {
    if (process.env.PICTURES !== '1') return
    await this.page.screenshot({ path: file, fullPage })
  }

  /** Empties the phone's storage and closes it. */
  async close(): Promise<void> {
    await this.page.goto(`${this.site}/empty`)
    await this.page.evaluate(() => localStorage.clear())
    await this.page.close()
    this.closed()
  }
}
