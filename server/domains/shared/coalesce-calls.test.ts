import { coalesceCalls } from './coalesce-calls'

/** Runs that end when the test says so. */
function setUp(maxAgeMs?: number) {
  const runs: { times: number; end: () => void }[] = []
  const call = coalesceCalls(
    (_: object, __: string, times: number) =>
      new Promise<number>((resolve) => {
        const answer = runs.push({ times, end: () => resolve(answer) })
      }),
    undefined,
    maxAgeMs,
  )
  const owner = {}
  return { runs, ask: () => call(owner, 'page') }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

test('calls that arrive while one runs are served by one later run', async () => {
  const { runs, ask } = setUp()
  const first = ask()
  const later = [ask(), ask(), ask()]
  expect(runs).toHaveLength(1)
  runs[0]?.end()
  expect(await first).toBe(1)
  await jest.advanceTimersByTimeAsync(0)
  expect(runs.map(({ times }) => times)).toEqual([1, 3])
  runs[1]?.end()
  expect(await Promise.all(later)).toEqual([2, 2, 2])
})

test('with a greatest age, a run also serves calls that arrive so soon after it began, and no later ones', async () => {
  const { runs, ask } = setUp(10)
  const first = ask()
  await jest.advanceTimersByTimeAsync(4)
  const whileItRuns = ask()
  runs[0]?.end()
  await first
  await jest.advanceTimersByTimeAsync(5)
  expect(await Promise.all([whileItRuns, ask()])).toEqual([1, 1])
  await jest.advanceTimersByTimeAsync(1)
  void ask()
  await jest.advanceTimersByTimeAsync(10)
  // the second run still goes on, but began too long ago
  const late = [ask(), ask()]
  runs[1]?.end()
  await jest.advanceTimersByTimeAsync(0)
  runs[2]?.end()
  expect(await Promise.all(late)).toEqual([3, 3])
  expect(runs.map(({ times }) => times)).toEqual([1, 1, 2])
})
