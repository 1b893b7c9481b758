import type { OpenCtx } from '../context'
import { homeData } from '../first/data'
import { firstHome } from '../first/home'

const NEVER = new Promise<never>(() => undefined)
const broken = new Proxy(
  {},
  {
    get() {
      throw new Error('no database')
    },
  },
)

/** A server of which a part hangs and everything else fails. */
const ctx = (games: unknown) => ({ games: { all: () => games }, db: broken, content: broken }) as unknown as OpenCtx

test('parts that hang or fail hold nobody up: the page is sent without them, and the app asks for them itself', async () => {
  const from = Date.now()
  const { home, answers } = await homeData(ctx(NEVER))
  expect(Date.now() - from).toBeLessThan(2000)
  expect([home.games, home.banners]).toEqual([undefined, undefined])
  expect(Object.keys(answers).filter((key) => /hot\/game|banner|information/.test(key))).toEqual([])
  const text = firstHome(home).text
  for (const words of ['您的游戏账号，值多少？', 'AI 估价', '人工估价', '我的']) expect(text).toContain(words)
  expect(text).not.toContain('热门游戏')
})

test('an empty catalogue is said, not hidden', async () => {
  const { home } = await homeData(ctx([]))
  expect(home.games).toEqual([])
  expect(firstHome(home).text).toContain('暂时没有可估价的游戏')
})

test('a form begun earlier has its place before anything below it is read: a page in pieces does not move', () => {
  const { text } = firstHome({})
  const [script, below] = [text.indexOf('<script>'), text.indexOf('home-entries')]
  expect(script).toBeGreaterThan(text.indexOf('first-go'))
  expect(script).toBeLessThan(below)
})
