/** @group long */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Locator } from 'playwright-core'
import { createTestDatabase, startServer, type TestDatabase, type TestServer } from '../../server/test/harness'
import { launchOwn, openPhone } from '../e2e/browser'

/**
 * The component gallery, built for both platforms and run on both: every state of every component has the same text,
 * roles, accessible names and classes in the mini-program as on h5. What differs on purpose is listed here.
 */
jest.setTimeout(900_000)

const PAGE = 'pagesA/pages/test'

/** Texts of h5 that differ from the mini-program. */
const words: readonly (readonly [h5: string, weapp: string])[] = [
  ['下载文档保存图片', '下载文档保存到相册'],
  ['已开始下载；如没有反应，请长按图片保存', '已保存到相册'],
  ['已开始下载，请到浏览器的下载里查看', '已保存到相册'],
  ['复制链接给好友', '邀请好友'],
]

/** States whose elements differ: WeChat's own buttons for privacy and sharing, and the text field's inner element. */
const otherElements = ['首次打开：隐私政策', '首次打开：微信在等', '助力解锁：邀请中', '在线咨询：输入框']

interface State {
  title: string
  text: string
  /** classes, role and accessible name of every element that has a class of ours, in the order of the document */
  elements: string[]
}

/**
 * Runs in the browser. Elements of the platforms and of NutUI differ in number and depth. Scroll views have no role in
 * the mini-program (`src/ui/a11y.ts`).
 */
function readStates(gallery: Element): State[] {
  const own = (name: string) => !/^(taro|weui|hydrated|wx|swiper|nut|__|host|h5)/.test(name)
  const describe = (el: Element) => {
    const classes = [...el.classList].filter(own).sort()
    const role = el.getAttribute('role')
    const scrolls = ['region', 'log'].includes(role ?? '')
    const said = scrolls ? [] : [role, el.getAttribute('aria-label')].filter(Boolean)
    return classes.length > 0 ? [[classes.join('.'), ...said].join(' ')] : []
  }
  return Array.from(gallery.querySelectorAll('.gallery__card'), (card) => ({
    title: card.querySelector('.ui-card__title')?.textContent ?? '',
    // the current time and countdowns: one platform may be read a second later
    text: (card.textContent ?? '')
      .replace(/\s+/g, '')
      .replace(/(\d\d:)?\d\d:\d\d/g, '--:--')
      .replace(/\d+秒后/g, '--秒后'),
    elements: Array.from(card.querySelectorAll('[class]')).flatMap(describe),
  }))
}

const statesOn = (page: Locator): Promise<State[]> => page.locator('.gallery').first().evaluate(readStates)
const titlesOn = (page: Locator) => page.locator('.gallery__tabs').first().locator('.ui-chip').allInnerTexts()

/** Maps texts of h5 to those of the mini-program. */
const translated = (text: string) => words.reduce((said, [h5, weapp]) => said.replaceAll(h5, weapp), text)

/** The first difference of a state; undefined if there is none. */
function difference(gallery: string, h5: State, weapp: State | undefined): unknown {
  const name = `${gallery}：${h5.title}`
  if (translated(h5.text) !== weapp?.text) return { name, h5: translated(h5.text), weapp: weapp?.text }
  if (otherElements.includes(name)) return undefined
  const i = Array.from(
    { length: Math.max(h5.elements.length, weapp.elements.length) },
    (_, n) => h5.elements[n] === weapp.elements[n],
  ).indexOf(false)
  return i < 0 ? undefined : { name, h5: h5.elements[i], weapp: weapp.elements[i] }
}

let folder: string
let testDatabase: TestDatabase
let server: TestServer
let url: string
const ends: (() => Promise<unknown>)[] = []

function build(target: 'h5' | 'weapp') {
  const env = { ...process.env, NODE_ENV: 'production', GALLERY: '1', BUILD_DIR: folder }
  const args = ['taro', 'build', '--type', target, '--no-check']
  const { status, stdout } = spawnSync('npx', args, { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(stdout)
}

beforeAll(async () => {
  folder = mkdtempSync(path.resolve('.cache/gallery-'))
  build('weapp')
  build('h5')
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['hok'], pagesDir: path.join(folder, 'h5') })
  url = await server.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(async () => {
  for (const end of ends.reverse()) await end()
  await server?.close()
  testDatabase?.remove()
  rmSync(folder, { recursive: true, force: true })
})

it('every state of every component is drawn alike on both platforms', async () => {
  const browser = await launchOwn()
  ends.push(() => browser.close())
  const { page } = await openPhone(browser)
  // a price that still counts up has a class more
  await page.emulateMedia({ reducedMotion: 'reduce' })
  // the harness reads it when it is imported
  process.env.WEAPP_DIST = path.join(folder, 'weapp')
  const { startHarness } = await import('./launch')
  const harness = await startHarness()
  ends.push(() => harness.close())
  const app = await harness.open({ apiBase: url })

  await page.goto(`${url}/${PAGE}`)
  await page.locator('.gallery__card').first().waitFor()
  const titles = await titlesOn(page.locator('body'))
  const different: unknown[] = []
  let count = 0
  for (const title of titles) {
    const show = encodeURIComponent(title)
    await Promise.all([page.goto(`${url}/${PAGE}?show=${show}`), app.start(PAGE, { show })])
    await page.locator('.gallery__card').first().waitFor()
    expect(await titlesOn(app.top)).toEqual(titles)
    const [h5, weapp] = await Promise.all([statesOn(page.locator('body')), statesOn(app.top)])
    expect([title, weapp.length]).toEqual([title, h5.length])
    count += h5.length
    different.push(
      ...h5.map((picture, i) => difference(title, picture, weapp[i])).filter((found) => found !== undefined),
    )
    expect([title, ...(await app.problems())]).toEqual([title])
  }
  console.log(`${titles.length} galleries, ${count} states`)
  expect(different).toEqual([])
  expect(count).toBeGreaterThan(200)
})
