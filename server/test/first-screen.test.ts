import type { OpenCtx } from '../core/context'
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
const ctx = (games: unknown) =>
  ({ repositories: { games: { all: () => games }, content: broken }, db: broken }) as unknown as OpenCtx

test('hanging or failing parts delay the page by 600 ms at most: the app requests them itself', async () => {
  jest.useFakeTimers()
  const drawn = jest.fn()
  const drawing = homeData(ctx(NEVER))
  void drawing.then(drawn)
  await jest.advanceTimersByTimeAsync(600)
  jest.useRealTimers()
  expect(drawn).toHaveBeenCalledTimes(1)
  const { home, responses } = await drawing
  expect([home.games, home.banners]).toEqual([undefined, undefined])
  expect(Object.keys(responses).filter((key) => /hot\/game|banner|information/.test(key))).toEqual([])
})

test('an empty catalogue is an answer', async () => {
  expect((await homeData(ctx([]))).home.games).toEqual([])
})
