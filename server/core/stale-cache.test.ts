import { createStaleCache } from './stale-cache'

beforeEach(() => {
  jest.useFakeTimers()
  // a value stored at time 0 has no age for the library
  jest.advanceTimersByTime(1)
})
afterEach(() => jest.useRealTimers())

/** Resolves to 1, 2, 3 …, each when `finish` is called. */
function counter() {
  const waiting: { resolve(n: number): void; reject(e: Error): void }[] = []
  let n = 0
  return {
    make: () => new Promise<number>((resolve, reject) => waiting.push({ resolve, reject })),
    finish: async () => {
      n += 1
      waiting.shift()?.resolve(n)
      await jest.advanceTimersByTimeAsync(0)
    },
    fail: async () => {
      waiting.shift()?.reject(new Error('away'))
      await jest.advanceTimersByTimeAsync(0)
    },
    pending: () => waiting.length,
  }
}

function caching() {
  const { get, clear } = createStaleCache<{ n: number }>({ fresh: 5000, stale: 60_000 })
  return { cache: async (make: () => Promise<number>) => (await get('', async () => ({ n: await make() })))?.n, clear }
}

test('serves fresh values, stale ones while one renewal runs, and waits when they are too old', async () => {
  const { cache } = caching()
  const { make, finish, pending } = counter()
  const both = Promise.all([cache(make), cache(make)])
  await finish()
  expect(await both).toEqual([1, 1])
  jest.advanceTimersByTime(4999)
  expect([await cache(make), pending()]).toEqual([1, 0])
  jest.advanceTimersByTime(2)
  expect([await cache(make), await cache(make), pending()]).toEqual([1, 1, 0])
  await jest.advanceTimersByTimeAsync(2000)
  expect([await cache(make), pending()]).toEqual([1, 1])
  await finish()
  expect(await cache(make)).toBe(2)
  jest.advanceTimersByTime(65_100)
  const late = cache(make)
  await finish()
  expect(await late).toBe(3)
})

test('a forgotten value is made again, whatever was being made', async () => {
  const { cache, clear } = caching()
  const { make, finish } = counter()
  const early = cache(make)
  clear()
  const late = cache(make)
  await finish()
  await finish()
  expect([await early, await late, await cache(make)]).toEqual([1, 2, 2])
})

test('a failed renewal keeps the cached value; without one the caller gets the error', async () => {
  const { cache } = caching()
  const { make, finish, fail } = counter()
  const first = cache(make).catch((e: Error) => e.message)
  await fail()
  expect(await first).toBe('away')
  const second = cache(make)
  await finish()
  expect(await second).toBe(1)
  jest.advanceTimersByTime(5000)
  expect(await cache(make)).toBe(1)
  await jest.advanceTimersByTimeAsync(2000)
  await fail()
  expect(await cache(make)).toBe(1)
})

test('what does not exist yet is looked for again', async () => {
  const { get } = createStaleCache<string>({ fresh: 5000, stale: 60_000 })
  const found = [undefined, 'there', 'newer']
  const look = () => get('', async () => found.shift())
  expect([await look(), await look(), await look()]).toEqual([undefined, 'there', 'there'])
})
