import fc from 'fast-check'
import { createDeduplication } from './deduplicate'

interface Started {
  key: string
  changesState: boolean
  /** a change has ended since it began */
  outdated: boolean
  at: number
  state: 'running' | 'done' | 'failed'
  settle(good: boolean): void
}

type Step =
  | { do: 'ask'; key: string; changesState: boolean; sharesFailure: boolean }
  | { do: 'settle'; good: boolean }
  | { do: 'wait'; ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('ask' as const),
      key: fc.constantFrom('a', 'b'),
      changesState: fc.boolean(),
      sharesFailure: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('settle' as const), good: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 400 }) }) },
)

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

/** Spec §7 and §9 said again, as plainly as possible. */
function mayShare(s: Started, sharesFailure: boolean, now: number) {
  if (s.outdated) return false
  if (s.state === 'running') return true
  if (s.state === 'failed' && !sharesFailure) return false
  return now - s.at < 300
}

it('starts a request exactly when there is none to share, under any interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const sharing = createDeduplication(Date.now)
      const started: Started[] = []
      for (const s of steps) {
        if (s.do === 'ask') {
          const known = started.filter((call) => call.key === s.key).pop()
          const expected = started.length + (known && mayShare(known, s.sharesFailure, Date.now()) ? 0 : 1)
          const start = () =>
            new Promise<void>((resolve, reject) => {
              const call: Started = {
                key: s.key,
                changesState: s.changesState,
                outdated: false,
                at: Date.now(),
                state: 'running',
                settle(good) {
                  call.state = good ? 'done' : 'failed'
                  if (good && call.changesState) for (const other of started) other.outdated ||= !other.changesState
                  if (good) resolve()
                  else reject(new Error('failed'))
                },
              }
              started.push(call)
            })
          const result = sharing.run({ ...s, start, left: () => new Error('left') })
          result.catch(() => undefined)
          expect(started).toHaveLength(expected)
        } else if (s.do === 'settle') started.find((call) => call.state === 'running')?.settle(s.good)
        await jest.advanceTimersByTimeAsync(s.do === 'wait' ? s.ms : 0)
      }
      for (const call of started) call.settle(true)
      // swept: nothing is kept longer than its age allows, so the cache cannot grow
      await jest.advanceTimersByTimeAsync(2_000)
      expect(sharing.size()).toBe(0)
    }),
    { numRuns: 60 },
  )
})
