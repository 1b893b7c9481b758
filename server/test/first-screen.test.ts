import type { OpenCtx } from '../context'
import { homeData } from '../ssr/data'

const NEVER = new Promise<never>(() => undefined)
const broken = new Proxy(
  {},
  {
    get() {
      throw new Error('no database')
    },
  },
)

/** A server in which one dependency hangs and all others fail. */
const ctx = (games: unknown) => ({ games: { all: () => games }, db: broken, content: broken }) as unknown as OpenCtx

test('hanging or failing parts do not delay the page: the app requests them itself', async () => {
  const from = Date.now()
  const { home, answers } = await homeData(ctx(NEVER))
  expect(Date.now() - from).toBeLessThan(2000)
  expect([home.games, home.banners]).toEqual([undefined, undefined])
  expect(Object.keys(answers).filter((key) => /hot\/game|banner|information/.test(key))).toEqual([])
})

test('an empty catalogue is an answer', async () => {
  expect((await homeData(ctx([]))).home.games).toEqual([])
})
