import { combineCalls } from './combine-calls'

/** Runs that end when the test says so. */
function setUp(everyMs?: number) {
  const runs: { times: number; end: () => void }[] = []
  const call = combineCalls(
    (_: object, __: string, times: number) =>
      new Promise<number>((resolve) => {
        const answer = runs.push({ times, end: () => resolve(answer) })
      }),
    undefined,
    everyMs,
  )
  const scope = {}
  return { runs, ask: () => call(scope, 'page') }
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

test('with an interval, the next run begins when it has passed, and after every call that it serves', async () => {
  const { runs, ask } = setUp(10)
  void ask()
  const second = ask()
  runs[0]?.end()
  await jest.advanceTimersByTimeAsync(9)
  expect(runs).toHaveLength(1)
  const third = ask()
  await jest.advanceTimersByTimeAsync(1)
  expect(runs.map(({ times }) => times)).toEqual([1, 2])
  const fourth = ask()
  runs[1]?.end()
  expect(await Promise.all([second, third])).toEqual([2, 2])
  // the run that had begun before the call does not serve it
  await jest.advanceTimersByTimeAsync(10)
  runs[2]?.end()
  expect(await fourth).toBe(3)
  // a call that finds none running begins at once
  void ask()
  expect(runs).toHaveLength(4)
})
