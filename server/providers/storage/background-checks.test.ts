import { createChecks } from './background-checks'

/** A storage whose answers the test triggers. */
function storage() {
  const asked: { key: string; answer(type: string): void; fail(error: Error): void }[] = []
  const look = (key: string) =>
    new Promise<string>((resolve, reject) => {
      asked.push({ key, answer: resolve, fail: reject })
    })
  return { asked, look }
}

test('a request does not wait for a slow check; the next one finds what it has found', async () => {
  const { asked, look } = storage()
  const typeOf = createChecks(look, { wait: 20 })
  await expect(typeOf('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(typeOf('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  asked[0]?.answer('image/png')
  expect(await typeOf('a')).toBe('image/png')
  expect(asked.map(({ key }) => key)).toEqual(['a'])
})

test('a finding serves one request: a picture may be replaced', async () => {
  const { asked, look } = storage()
  const typeOf = createChecks(look)
  const first = typeOf('a')
  asked[0]?.answer('image/png')
  expect(await first).toBe('image/png')
  const second = typeOf('a')
  asked[1]?.answer('image/webp')
  expect(await second).toBe('image/webp')
})

test('a check that failed is recreated', async () => {
  const { asked, look } = storage()
  const typeOf = createChecks(look)
  const failed = typeOf('a')
  asked[0]?.fail(new Error('no answer'))
  await expect(failed).rejects.toThrow('no answer')
  const second = typeOf('a')
  asked[1]?.answer('image/png')
  expect(await second).toBe('image/png')
})

test('a finding that nobody asks for again is forgotten', async () => {
  const { asked, look } = storage()
  const typeOf = createChecks(look, { wait: 1, keep: 1 })
  await expect(typeOf('a')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  jest.useFakeTimers()
  asked[0]?.answer('image/png')
  await jest.advanceTimersByTimeAsync(1)
  jest.useRealTimers()
  void typeOf('a').catch(() => undefined)
  expect(asked).toHaveLength(2)
})
