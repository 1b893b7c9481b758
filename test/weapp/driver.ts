/** Actions of a test on a running mini-program. */
import type { Locator, Page } from 'playwright-core'
import { DOUBLE_TAP_BLOCK } from '../../src/contract/constants'
import type { Counters, Drawn, Launch, Phone, Shared } from './runtime/host'

/** a busy machine is slow, not broken */
const WAIT_MS = 30_000
/** The app is idle when nothing has happened for this long. */
const QUIET_MS = 200
/** The app takes a sooner tap on the same thing for a double tap (spec §5); a person who means it takes longer. */
const TAP_AGAIN_MS = DOUBLE_TAP_BLOCK + 50
/** Opened from the list of recently used mini-programs. */
const SCENE = 1089

export class MiniProgram {
  /** read by the runtime at every cold start */
  launch: Launch = { path: 'pages/home/index', query: {}, scene: SCENE }
  /** addresses `wx.request` went to, the oldest first */
  readonly sent: string[] = []
  /** ms by what was tapped */
  private readonly taps = new Map<string | Locator, number>()

  constructor(
    readonly page: Page,
    private readonly address: string,
    readonly phone: Phone,
  ) {
    page.setDefaultTimeout(WAIT_MS)
  }

  /** Cold start at `path`; storage survives. `query` values arrive as they are written, undecoded. */
  async start(path = 'pages/home/index', query: Record<string, string> = {}): Promise<void> {
    this.launch = { path, query, scene: SCENE }
    await this.page.goto(this.address)
    await this.page.waitForFunction(() => window.probe?.booted)
    await this.idle()
  }

  /** The phone's app is signed in as `who`, as after a login; not yet started again. */
  async signIn(who: object): Promise<void> {
    await this.start()
    const session = JSON.stringify(JSON.stringify({ version: 1, data: who }))
    await this.page.evaluate((text) => localStorage.setItem('weapp:session', text), session)
  }

  /** Waits until no request is under way and nothing was drawn for a moment. */
  async idle(): Promise<void> {
    // what was just done may not have begun to show yet
    await this.page.evaluate(() => window.probe.active())
    await this.page.waitForFunction((ms) => window.probe.quietFor() > ms, QUIET_MS)
  }

  /** The page on show, or the dialog over it. */
  get top(): Locator {
    return this.page.locator('wx-page-host:not([hidden]), .host-modal').last()
  }

  /** `.class`, `#id` and `[attribute]` are selectors; anything else is the exact text on show. */
  find(target: string): Locator {
    const found = /^[.#[]/.test(target) ? this.top.locator(target) : this.top.getByText(target, { exact: true })
    return found.filter({ visible: true }).first()
  }

  async tap(target: string | Locator): Promise<void> {
    // taps on WeChat's own dialogs in between are not seen by the app
    const since = Date.now() - (this.taps.get(target) ?? 0)
    if (since < TAP_AGAIN_MS) await this.page.waitForTimeout(TAP_AGAIN_MS - since)
    await (typeof target === 'string' ? this.find(target) : target).tap()
    // when it was done, not when it was asked for: on a busy machine these lie apart
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

  /** Everything to read on the page on show. */
  text(): Promise<string> {
    return this.top.innerText()
  }

  /** Waits until `text` can be read somewhere on the page on show. */
  async see(text: string | RegExp): Promise<void> {
    await this.top.getByText(text).filter({ visible: true }).first().waitFor()
  }

  /** Waits until `text` can be read nowhere on the page on show. */
  async gone(text: string | RegExp): Promise<void> {
    await this.top.getByText(text).filter({ visible: true }).first().waitFor({ state: 'hidden' })
  }

  drawn(): Promise<Drawn> {
    return this.page.evaluate(() => window.probe.drawn())
  }

  async stack(): Promise<{ path: string; query: Record<string, string> }[]> {
    return this.page.evaluate(() => window.probe.stack())
  }

  /** Path of the page on show. */
  async route(): Promise<string | undefined> {
    return (await this.stack()).at(-1)?.path
  }

  /** Waits until the page at `path` is on show. */
  async at(path: string): Promise<void> {
    await this.page.waitForFunction((p) => window.probe.stack().at(-1)?.path === p, path)
    await this.idle()
  }

  /** Calls the app's way to a page from outside, like a share or a scan into the running app would. */
  async navigateTo(url: string): Promise<void> {
    await this.page.evaluate((u) => window.probe.navigateTo(u), url)
    await this.idle()
  }

  /** The phone's own way back. */
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

  /** Errors of the app so far; none when it works. */
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
    const given = await this.page.evaluate((how) => {
      if (how === 'menu') window.probe.share('menu')
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

  /** px the page on show can be scrolled sideways; 0 is right */
  sidewaysScroll(): Promise<number> {
    return this.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
  }

  /** Addresses of pictures on the page on show that did not come; waits for those under way. Right is empty. */
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

  async screenshot(file: string, fullPage = false): Promise<void> {
    await this.page.screenshot({ path: file, fullPage })
  }

  async close(): Promise<void> {
    await this.page.context().close()
  }
}
