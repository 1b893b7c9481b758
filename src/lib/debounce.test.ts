import { debounce } from './debounce'

const seen: string[] = []
const make = () => debounce((word: string) => void seen.push(word), 500)

beforeEach(() => {
  jest.useFakeTimers()
  seen.length = 0
})
afterEach(() => jest.useRealTimers())

it('runs once, 500 ms after the newest call, with its arguments', () => {
  const typed = make()
  typed.call('a')
  jest.advanceTimersByTime(499)
  typed.call('b')
  jest.advanceTimersByTime(499)
  expect(seen).toEqual([])
  jest.advanceTimersByTime(1)
  expect(seen).toEqual(['b'])
  jest.advanceTimersByTime(5_000)
  expect(seen).toEqual(['b'])
})

it('runs at once when flushed, and then not again; not at all when nothing waits or it was cancelled', () => {
  const typed = make()
  typed.flush()
  typed.call('a')
  typed.flush()
  typed.flush()
  typed.call('b')
  typed.cancel()
  jest.advanceTimersByTime(5_000)
  expect(seen).toEqual(['a'])
})

it('a call made while it runs waits its own time', () => {
  const again = debounce((n: number) => {
    seen.push(String(n))
    if (n < 2) again.call(n + 1)
  }, 500)
  again.call(1)
  again.flush()
  expect(seen).toEqual(['1'])
  jest.advanceTimersByTime(500)
  expect(seen).toEqual(['1', '2'])
})
