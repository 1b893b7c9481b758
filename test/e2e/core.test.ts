/** @group long */
import type { CDPSession, Page, Route } from 'playwright-core'
import { openPhone, type Phone, sidewaysScroll } from './browser'
import { ask, expireSessions, logInByHand, newSession, nextMobile, seen, signIn, watch } from './session'
import { browser, server, setUpBrowser } from './setup'

/** The client core in a real browser: the built app, the real server (spec §2, §4, §5, §8, §9). */

let phone: Phone

setUpBrowser()
beforeEach(async () => {
  phone = await openPhone(browser)
  await watch(phone.context)
})
afterEach(async () => {
  // the final screen, to investigate failures
  await phone.page.bringToFront()
  await phone.page.screenshot({ path: 'test-results/e2e/core.png' })
  await phone.context.close()
})

const MINUTE = 60_000
const HOME = '/pages/home/index'
const TAB = '/pages/evaluation/index'
const MINE = '/pages/mine/index'
const LOGIN = '/pagesA/pages/login/h5/index'
const RECORDS = '/pagesA/pages/mine/evaluation/records?tab=DONE'
const FORM = '/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'

const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path.split('?')[0])
const address = (page: Page) => new URL(page.url()).pathname + new URL(page.url()).search

/** Opens a URL and waits until `selector` is visible. */
async function open(page: Page, path: string, selector: string) {
  await page.goto(server.url + path)
  await page.locator(selector).first().waitFor()
}
const openHome = (page: Page) => open(page, '/', '.home-game__name')
/** From now on `/` is served without first screen and data, as when the server cannot reach its database. */
const withoutFirst = (page: Page) =>
  page.route(
    (url) => url.pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const body = (await response.text()).replace(/<div id="first">[\s\S]*?(?=<div id="app">)/, '')
      await route.fulfill({ response, body })
    },
  )
const tab = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).and(page.locator(':visible'))

/** Whether the document has not been reloaded since `mark`. */
const mark = (page: Page) => page.evaluate(() => void Object.assign(window, { marked: true }))
const isMarked = (page: Page) => page.evaluate(() => 'marked' in window)

describe('expired session (§4, §8)', () => {
  it('20 concurrent failures: one dialog, then the login page, then back to the previous page', async () => {
    const { page } = phone
    await signIn(page, server)
    await open(page, RECORDS, '.records')
    await page.getByText('这里还没有记录').waitFor()
    await expireSessions(server)
    const refused: string[] = []
    page.on('response', (r) => r.status() === 401 && refused.push(r.url()))
    const calls = Array.from({ length: 20 }, (_, i) => ({ group: 'pay', name: 'getInfo', req: { orderId: `o${i}` } }))
    const outcomes = await ask(page, calls)
    expect(new Set(refused).size).toBe(20)
    expect(outcomes).toEqual(Array.from({ length: 20 }, () => ({ code: 'NOT_LOGGED_IN', kind: 'http' })))
    expect(await page.getByRole('alertdialog').innerText()).toMatch(/^提示\s+登录已过期，请重新登录\s+重新登录$/)
    expect(await page.evaluate(() => localStorage.getItem('gav.session'))).toBeNull()

    await page.getByRole('button', { name: '重新登录' }).tap()
    await at(page, LOGIN)
    await logInByHand(phone, server)
    await at(page, RECORDS)
    expect(address(page)).toBe(RECORDS)
    await page.getByText('这里还没有记录').waitFor()
    // every message was shown once, and there was no toast
    const { dialogs, toasts } = await seen(page)
    expect([dialogs, toasts]).toEqual([['提示 登录已过期，请重新登录 重新登录'], []])
  })

  it('a deep link leads to the login and back, and the login page is removed from history', async () => {
    const { page, problems } = phone
    await openHome(page)
    await open(page, RECORDS, '.login')
    expect(address(page)).toBe(`${LOGIN}?redirect=${encodeURIComponent(RECORDS)}`)
    await logInByHand(phone, server)
    await at(page, RECORDS)
    await page.locator('.records').waitFor()
    expect(address(page)).toBe(RECORDS)
    await page.goBack()
    await page.locator('.home').waitFor()
    expect(problems).toEqual([])
  })
})

describe('two tabs of one browser (§4)', () => {
  const secondTab = async () => phone.context.newPage()
  const nextToken = (page: Page, path: string) =>
    page.waitForRequest((r) => r.url().includes(path)).then((r) => r.headers().token)

  it('log out together: the other one leaves its protected page and stops sending the token', async () => {
    const { page } = phone
    await signIn(page, server)
    const other = await secondTab()
    await open(other, RECORDS, '.records')
    await page.bringToFront()
    await open(page, MINE, '.mine')
    await page.getByText('退出登录').tap()
    await page.getByRole('button', { name: '退出', exact: true }).tap()
    await at(page, HOME)
    await other.bringToFront()
    await at(other, LOGIN)
    await other.locator('.login').waitFor()
    expect(address(other)).toContain(encodeURIComponent(RECORDS))
    expect(await other.locator('.records').count()).toBe(0)
    const sent = nextToken(other, 'app-home-data-count')
    await ask(other, [{ group: 'app', name: 'homeDataCount' }])
    expect(await sent).toBeUndefined()
  })

  it('a new token in one is used by the other, even to repeat a pending request with the old one', async () => {
    const { page } = phone
    const mobile = nextMobile()
    await signIn(page, server, await newSession(server, mobile))
    await openHome(page)
    const other = await secondTab()
    await openHome(other)
    await expireSessions(server)
    const tokens: (string | undefined)[] = []
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await other.route('**/app-api/user/get', async (route) => {
      tokens.push(route.request().headers().token)
      if (tokens.length === 1) await held
      await route.continue()
    })
    const onItsWay = other.waitForRequest('**/app-api/user/get')
    const result = ask(other, [{ group: 'user', name: 'get' }])
    await onItsWay
    const fresh = await newSession(server, mobile)
    await other.evaluate(() => {
      const told = new Promise<void>((resolve) => addEventListener('storage', () => resolve(), { once: true }))
      Object.assign(window, { told })
    })
    await page.evaluate((text) => localStorage.setItem('gav.session', text), fresh)
    const { token, userId } = JSON.parse(fresh).data
    await other.evaluate(() => (window as unknown as { told: Promise<void> }).told)
    release()
    expect(await result).toMatchObject([{ data: { userId } }])
    // the repeated call, and the settings loaded after every login
    expect(new Set(tokens.slice(1))).toEqual(new Set([token]))
    expect((await seen(other)).dialogs).toEqual([])
    await tab(other, '我的').tap()
    await other.getByText('退出登录').waitFor()
  })
})

/** Delays or fails the chunks of pages that are not loaded yet. */
async function chunks(page: Page, what: (route: Route) => unknown) {
  const asked: string[] = []
  await page.route('**/js/*.js', (route) => {
    asked.push(new URL(route.request().url()).pathname)
    return what(route)
  })
  return { asked, free: () => page.unroute('**/js/*.js') }
}

describe('lazy pages (§2, §9)', () => {
  const overlay = (page: Page) => page.locator('.pf-overlay')

  it('a slow one: the placeholder after 200 ms, no earlier; the page when its code arrives', async () => {
    const { page, problems } = phone
    await openHome(page)
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    // on a busy machine the first page may have had its own placeholder
    const earlier = (await seen(page)).overlays.length
    await chunks(page, (route) => held.then(() => route.continue()))
    await tab(page, '估价').tap()
    await overlay(page).waitFor()
    expect(await overlay(page).innerText()).toBe('加载中…')
    release()
    await page.locator('.ev').waitFor()
    await overlay(page).waitFor({ state: 'detached' })
    const { overlays, taps } = await seen(page)
    const mine = overlays.slice(earlier)
    expect(mine.map((o) => o.state)).toEqual(['loading'])
    expect((mine[0]?.at ?? 0) - (taps[0] ?? 0)).toBeGreaterThanOrEqual(200)
    // a fast page shows no placeholder
    await tab(page, '首页').tap()
    await page.locator('.home').waitFor()
    await tab(page, '估价').tap()
    await page.locator('.ev').waitFor()
    expect((await seen(page)).overlays).toHaveLength(earlier + 1)
    expect(problems).toEqual([])
  })

  it('a hanging one: the error placeholder after 60 s; a tap reloads only this page', async () => {
    const { page } = phone
    await page.clock.install()
    await openHome(page)
    await mark(page)
    const hung: Route[] = []
    const { free } = await chunks(page, (route) => hung.push(route))
    await tab(page, '估价').tap()
    await overlay(page).getByText('加载中…').waitFor()
    await page.clock.fastForward(60_000)
    await overlay(page).getByText('页面加载失败，点击屏幕重试').waitFor()
    await free()
    await overlay(page).tap()
    await page.locator('.ev').waitFor()
    expect(await isMarked(page)).toBe(true)
    for (const route of hung) await route.abort().catch(() => undefined)
  })

  it('one whose code fails to load: the error placeholder at once; a tap reloads only this page', async () => {
    const { page } = phone
    await openHome(page)
    // home's deferred content has loaded, and the market, which is loaded when it is nearly scrolled to
    await page.getByText('为什么可以放心参考').waitFor({ state: 'attached' })
    await page.locator('#home-market').scrollIntoViewIfNeeded()
    await page.locator('#home-market .home-accuracy--wait').waitFor({ state: 'detached' })
    await mark(page)
    const killed = await chunks(page, (route) => route.abort())
    await tab(page, '估价').tap()
    await overlay(page).getByText('页面加载失败，点击屏幕重试').waitFor()
    expect(await page.locator('.ev').count()).toBe(0)
    await killed.free()
    const again = await chunks(page, (route) => route.continue())
    await overlay(page).tap()
    await page.locator('.ev').waitFor()
    await overlay(page).waitFor({ state: 'detached' })
    expect(await isMarked(page)).toBe(true)
    expect(again.asked.sort()).toEqual([...new Set(killed.asked)].sort())
  })

  it('one that a deployment has replaced: the new build is loaded automatically, once', async () => {
    const { page } = phone
    const html = await (await fetch(server.url, { headers: { accept: 'text/html' } })).text()
    const entry = /\/js\/app\.\w+\.js/.exec(html)?.[0] ?? ''
    const before = '/js/app.00000000.js'
    // the old build, still open in the user's browser
    let deployed = false
    await page.route(
      (url) => url.origin === server.url && !url.pathname.includes('.') && !url.pathname.startsWith('/app-api'),
      (route) =>
        deployed ? route.fallback() : route.fulfill({ contentType: 'text/html', body: html.replace(entry, before) }),
    )
    await page.route(`**${before}`, async (route) => {
      const response = await route.fetch({ url: server.url + entry })
      await route.fulfill({ response })
    })
    await openHome(page)
    deployed = true
    let loads = 0
    page.on('request', (r) => {
      if (r.isNavigationRequest()) loads++
    })
    // its chunks return 404 until the document is reloaded
    const gone = await chunks(page, (route) =>
      loads > 0 ? route.fallback() : route.fulfill({ status: 404, body: '' }),
    )
    await tab(page, '估价').tap()
    await page.locator('.ev').waitFor()
    expect(address(page)).toBe(TAB)
    expect(await page.locator(`script[src="${entry}"]`).count()).toBe(1)
    expect(loads).toBe(1)
    // with the new build a missing page is an ordinary failure: no second reload
    await gone.free()
    await chunks(page, (route) => route.fulfill({ status: 404, body: '' }))
    await page.getByText('王者荣耀').first().tap()
    await overlay(page).getByText('页面加载失败，点击屏幕重试').waitFor()
    expect(loads).toBe(1)
  })
})

describe('sizes (§9)', () => {
  const rootFont = (page: Page) =>
    page.evaluate(() => Number.parseFloat(getComputedStyle(document.documentElement).fontSize))

  it.each([
    [320, 13.6533],
    [375, 16],
    [414, 17.664],
    [768, 32.768],
    [960, 40.96],
    [1280, 16],
  ])('width %i px: root font %f px, nothing to scroll sideways, unmoved by the keyboard', async (width, px) => {
    const { page } = phone
    await page.setViewportSize({ width, height: 812 })
    await open(page, LOGIN, '.login')
    expect(await rootFont(page)).toBeCloseTo(px, 2)
    expect(await sidewaysScroll(page)).toBe(0)
    const box = await page.locator('.login').boundingBox()
    const column = width > 960 ? 375 : width
    expect([box?.x, box?.width]).toEqual([(width - column) / 2, column])
    // the keyboard opens
    await page.getByLabel('手机号').first().tap()
    await page.setViewportSize({ width, height: 400 })
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await rootFont(page)).toBeCloseTo(px, 2)
  })

  it('follow the orientation of the phone', async () => {
    const { page } = phone
    await openHome(page)
    await page.setViewportSize({ width: 812, height: 375 })
    await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize.startsWith('34.6'))
    await page.setViewportSize({ width: 375, height: 812 })
    await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '16px')
  })
})

describe('settings of the user (§5)', () => {
  const home = async (width: number, app: object) => {
    const { page } = phone
    await page.setViewportSize({ width, height: 812 })
    await page.goto(`${server.url}/healthz`)
    await page.evaluate((data) => localStorage.setItem('gav.app', JSON.stringify({ version: 1, data })), app)
    await openHome(page)
    return page
  }

  it.each([
    ['large', 1.15],
    ['huge', 1.3],
    ['double', 2],
  ])('text size %s: %f times, and nothing to scroll sideways on a small phone', async (textSize, times) => {
    const sizeIn = async (app: object) => {
      const page = await home(320, app)
      const note = page.locator('.home-step__note').first()
      return Number.parseFloat(await note.evaluate((el) => getComputedStyle(el).fontSize))
    }
    const normal = await sizeIn({})
    expect((await sizeIn({ textSize })) / normal).toBeCloseTo(times, 2)
    expect(await sidewaysScroll(phone.page)).toBe(0)
  })

  it('the largest text: the title of the home page is not cut off', async () => {
    const title = (await home(375, { textSize: 'double' })).locator('.ui-nav__title')
    const { room, letters, size } = await title.evaluate((el) => ({
      room: el.clientWidth,
      letters: [...(el.textContent ?? '')].length,
      size: Number.parseFloat(getComputedStyle(el).fontSize),
    }))
    // computed from the number of characters, because fonts differ between machines: every character is one em wide
    expect(room).toBeGreaterThanOrEqual(letters * size)
  })

  it.each([
    ['nothing', 'no-preference', false, true],
    ["the system's reduced motion", 'reduce', false, false],
    ['our own', 'no-preference', true, false],
  ] as const)('%s: things move: %s, %s, %s', async (_who, reducedMotion, reduceMotion, moves) => {
    const { page } = phone
    await page.emulateMedia({ reducedMotion })
    // the skeleton stays until the response arrives
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await withoutFirst(page)
    await page.route('**/game/hot/game', (route) => held.then(() => route.continue()))
    const opened = home(375, { reduceMotion })
    await page.locator('.ui-skeleton').first().waitFor()
    const running = await page.evaluate(() =>
      document.getAnimations().some((a) => Number(a.effect?.getComputedTiming().duration) > 1),
    )
    release()
    await opened
    expect(running).toBe(moves)
  })
})

describe('offline and back (§8)', () => {
  it('a call: the cover asks for a tap, which retries the call', async () => {
    const { page, context } = phone
    await openHome(page)
    await context.setOffline(true)
    const result = ask(page, [{ group: 'evaluation', name: 'gameList' }])
    const cover = page.getByRole('button', { name: '网络未连接，请检查网络后点击屏幕重试' })
    await cover.waitFor()
    // still offline: the dialog is repeated, no second message is shown
    await cover.tap()
    await cover.waitFor()
    await context.setOffline(false)
    const sent = page.waitForRequest('**/user/game/list')
    await page.touchscreen.tap(20, 20)
    await sent
    expect(await result).toEqual([{ data: expect.arrayContaining([expect.objectContaining({ gameId: 'hok' })]) }])
    await page.locator('.pf-layer').waitFor({ state: 'detached' })
    expect((await seen(page)).toasts).toEqual([])
  })

  it('a page and its list: the placeholder, then a tap loads the missing data', async () => {
    const { page, context } = phone
    await openHome(page)
    await context.setOffline(true)
    await tab(page, '估价').tap()
    await page.getByText('页面加载失败，点击屏幕重试').waitFor()
    await context.setOffline(false)
    await page.locator('.pf-overlay').tap()
    await page.locator('.ev').getByText('王者荣耀').first().waitFor()
  })
})

const touch = (cdp: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', ...points: [number, number][]) =>
  cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(([x, y], id) => ({ x, y, id })) })

it.each([-1, 1])('a phone whose clock is wrong by %i hour corrects itself', async (hours) => {
  const { page } = phone
  await page.clock.install({ time: Date.now() + hours * 3_600_000 })
  const statuses: number[] = []
  page.on('response', (r) => r.url().includes('/app-api/') && statuses.push(r.status()))
  await withoutFirst(page)
  await openHome(page)
  expect(statuses).toContain(460)
  expect((await seen(page)).toasts).toEqual([])
  // calls sent with the first one may be retried; later ones are signed correctly at once
  await page.waitForLoadState('networkidle')
  statuses.length = 0
  await tab(page, '估价').tap()
  await page.locator('.ev').getByText('王者荣耀').first().waitFor()
  expect(new Set(statuses)).toEqual(new Set([200]))
})

describe('gestures (§5)', () => {
  const zoom = (page: Page) => page.evaluate(() => window.visualViewport?.scale)
  /** Taps in immediate succession. */
  const taps = (cdp: CDPSession, ...points: [number, number][]) =>
    Promise.all(points.flatMap((p) => [touch(cdp, 'touchStart', p), touch(cdp, 'touchEnd')]))
  async function middle(page: Page, selector: string): Promise<[number, number]> {
    const box = await page.locator(selector).first().boundingBox()
    if (!box) throw new Error(`${selector} is not on show`)
    return [box.x + box.width / 2, box.y + box.height / 2]
  }

  it('neither two fingers nor a double tap zoom the page', async () => {
    const { page, context } = phone
    await openHome(page)
    const cdp = await context.newCDPSession(page)
    await page.evaluate(() => {
      const blocked: boolean[] = []
      Object.assign(window, { blocked })
      addEventListener('touchstart', (e) => e.touches.length > 1 && blocked.push(e.defaultPrevented))
    })
    await touch(cdp, 'touchStart', [150, 400], [220, 400])
    for (const wide of [20, 60, 100]) await touch(cdp, 'touchMove', [150 - wide, 400], [220 + wide, 400])
    await touch(cdp, 'touchEnd')
    expect(await page.evaluate(() => (window as unknown as { blocked: boolean[] }).blocked)).toEqual([true])
    expect(await zoom(page)).toBe(1)
    const spot = await middle(page, '.home-step__note')
    await taps(cdp, spot, spot)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    expect(await zoom(page)).toBe(1)
  })

  it('a second tap within 300 ms does nothing; two different buttons and fast typing are not delayed', async () => {
    const { page, context } = phone
    await page.clock.install()
    await open(page, LOGIN, '.login')
    const cdp = await context.newCDPSession(page)
    await page.getByText('密码登录').tap()
    const eye = await middle(page, '.ui-line__eye')
    const earlier = (await seen(page)).taps.length
    // with the page's clock stopped, the second tap is within the window however busy the machine is
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + MINUTE)
    await taps(cdp, eye, eye)
    await page.waitForFunction(
      (n) => (window as unknown as { seen: { taps: number[] } }).seen.taps.length >= n,
      earlier + 2,
    )
    await page.clock.resume()
    await page.getByLabel('隐藏密码').waitFor()

    const field = page.getByLabel('手机号').first()
    await field.tap()
    await page.keyboard.type('13800138000')
    expect(await field.inputValue()).toBe('13800138000')

    await open(page, TAB, '.ev')
    await page.evaluate(() => {
      const arrived: string[] = []
      Object.assign(window, { arrived })
      // taps after the window are not suppressed
      document.addEventListener('click', (e) => arrived.push((e.target as HTMLElement).innerText), true)
    })
    const tabs = await Promise.all(['首页', '估价'].map((name) => tab(page, name).boundingBox()))
    const [one, two] = tabs.map((b): [number, number] => [(b?.x ?? 0) + 30, (b?.y ?? 0) + 40])
    if (!one || !two) throw new Error('no tabs')
    await taps(cdp, two, one)
    await at(page, HOME)
    expect(await page.evaluate(() => (window as unknown as { arrived: string[] }).arrived)).toEqual(['估价', '首页'])
  })
})

it('home is refreshed by pulling it down, also on a row that scrolls sideways (§2)', async () => {
  const { page, context } = phone
  await openHome(page)
  // until then the server's first screen covers the app and receives the touch
  await page.locator('#first').waitFor({ state: 'detached' })
  const cdp = await context.newCDPSession(page)
  const again = page.waitForRequest('**/game/hot/game')
  await touch(cdp, 'touchStart', [180, 200])
  for (let y = 220; y <= 520; y += 20) await touch(cdp, 'touchMove', [180, y])
  await touch(cdp, 'touchEnd')
  await again
  const row = page.locator('.home-samples')
  // a second card: the test's server has one sample only
  await row.evaluate((el) => el.firstElementChild && el.append(el.firstElementChild.cloneNode(true)))
  await touch(cdp, 'touchStart', [300, 200])
  for (let x = 280; x >= 60; x -= 20) await touch(cdp, 'touchMove', [x, 200 + (300 - x) / 8])
  await touch(cdp, 'touchEnd')
  await page.waitForFunction((el) => (el?.scrollLeft ?? 0) > 100, await row.elementHandle())
})

describe('back and forward (§2)', () => {
  it('browser back and forward show the pages of their URLs and keep the scroll position of lists', async () => {
    const { page, problems } = phone
    await signIn(page, server)
    await openHome(page)
    const scroll = () => page.evaluate(() => document.querySelector('.taro_page_show')?.scrollTop ?? 0)
    await page.evaluate(() => document.querySelector('.taro_page_show')?.scrollTo(0, 180))
    await page.waitForFunction(() => document.querySelector('.taro_page_show')?.scrollTop === 180)
    const openForm = async () => {
      await page.locator('.home-game__name').getByText('王者荣耀').tap()
      await at(page, FORM)
      await page.locator('#field-hok-skinCount').waitFor()
    }
    await openForm()
    await page.goBack()
    await page.locator('.home').waitFor()
    expect(await scroll()).toBe(180)
    await page.goForward()
    await at(page, FORM)
    await page.locator('#field-hok-skinCount').waitFor()
    expect(address(page)).toBe(FORM)
    await page.goBack()
    await page.locator('.home').waitFor()
    expect(address(page)).toBe(HOME)
    // the page's own button does the same as the browser's
    await openForm()
    await page.getByRole('button', { name: '返回' }).tap()
    await page.locator('.home').waitFor()
    expect(address(page)).toBe(HOME)
    // leaving a page aborts its requests; nothing else may fail
    expect(problems.filter((p) => !p.endsWith('net::ERR_ABORTED'))).toEqual([])
  })

  it.each([0, 100, 290])('going back %i ms after a navigation never leaves a blank page', async (ms) => {
    const { page } = phone
    await openHome(page)
    await page.locator('.home__legal').waitFor()
    await page.evaluate((delay) => {
      const push = history.pushState
      history.pushState = (...how) => {
        push.apply(history, how)
        setTimeout(() => history.back(), delay)
      }
    }, ms)
    const left = page.evaluate(() =>
      new Promise((done) => addEventListener('popstate', done, { once: true })).then(() => true),
    )
    await page.getByText('帮助', { exact: true }).first().tap()
    expect(await left).toBe(true)
    await page.locator('.taro_page_show .home-game__name').first().waitFor()
    expect(address(page)).toBe(HOME)
    // and stays
    await page.waitForLoadState('networkidle')
    expect(await page.locator('.taro_page_show .home-game__name').first().isVisible()).toBe(true)
    await page.locator('.pf-overlay').waitFor({ state: 'hidden' })
  })

  it('home stays below the other tabs, and going back from it leaves the app', async () => {
    const { page, problems } = phone
    await signIn(page, server)
    const before = new URL(page.url()).pathname
    await openHome(page)
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).tap()
    const shows = (path: string, part: string) => Promise.all([at(page, path), page.locator(part).waitFor()])
    await tab('估价')
    await shows(TAB, '.ev')
    await tab('我的')
    await shows(MINE, '.mine')
    await page.goBack()
    await shows(HOME, '.home')
    await page.goForward()
    await shows(MINE, '.mine')
    // also after a reload, and from a page above a tab
    await page.reload()
    await shows(MINE, '.mine')
    await page.locator('.ui-cell').getByText('优惠券', { exact: true }).tap()
    await page.getByText('已过期', { exact: true }).tap()
    await page.route('**/can/receive*', async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...(await response.json()), data: [] } })
    })
    await page.getByText('去领券中心').tap()
    await page.getByText('去 AI 估价').tap()
    await shows(TAB, '.ev')
    await tab('我的')
    await page.getByText('退出登录').tap()
    await page.getByRole('button', { name: '退出', exact: true }).tap()
    await shows(HOME, '.home')
    await page.goBack()
    await page.waitForURL((url) => url.pathname === before)
    expect(problems).toEqual([])
  })

  it('after a refresh without history the back button leads home', async () => {
    const { page, problems } = phone
    await signIn(page, server)
    await open(page, FORM, '#field-hok-skinCount')
    await page.reload()
    await page.locator('#field-hok-skinCount').waitFor()
    expect(await page.getByRole('button', { name: '返回' }).count()).toBe(0)
    await page.getByRole('link', { name: '回首页' }).tap()
    await page.locator('.home').waitFor()
    expect(address(page)).toBe(HOME)
    expect(problems).toEqual([])
  })

  it('an unknown URL leads home', async () => {
    const { page } = phone
    await open(page, '/pages/nowhere/index?x=1', '.home')
    expect(address(page)).toBe(HOME)
  })
})
