import { act, renderHook } from '../../test/fakes/taro'
import { usePress } from './usePress'

const long = jest.fn()
const touches = (...fingers: [x: number, y: number][]) => ({
  touches: fingers.map(([clientX, clientY]) => ({ clientX, clientY })),
})

async function press() {
  document.body.innerHTML = '<div id="app"></div>'
  return (await renderHook(() => usePress(long))).current
}

beforeEach(() => {
  long.mockClear()
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'queueMicrotask', 'requestAnimationFrame'] })
})
afterEach(() => jest.useRealTimers())

it('takes 350 ms, no less; the tap that ends it is ignored, the next one is not', async () => {
  const { touch, wasLong } = await press()
  touch.onTouchStart(touches([100, 100]))
  jest.advanceTimersByTime(349)
  expect(long).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  expect(long).toHaveBeenCalledTimes(1)
  touch.onTouchEnd()
  expect([wasLong(), wasLong()]).toEqual([true, false])
  jest.advanceTimersByTime(5_000)
  expect(long).toHaveBeenCalledTimes(1)
})

it.each([
  ['10 px aside', [110, 100], 1],
  ['10 px across', [106, 108], 1],
  ['11 px aside', [111, 100], 0],
  ['8 px both ways', [108, 108], 0],
] as const)('a finger that moves %s (%p) makes %i', async (_far, [x, y], times) => {
  const { touch, wasLong } = await press()
  touch.onTouchStart(touches([100, 100]))
  jest.advanceTimersByTime(100)
  touch.onTouchMove(touches([x, y]))
  // returning to the start does not restart the press
  touch.onTouchMove(touches([100, 100]))
  jest.advanceTimersByTime(1_000)
  expect(long).toHaveBeenCalledTimes(times)
  expect(wasLong()).toBe(times === 1)
})

it.each([
  ['lifting the finger', (t: ReturnType<typeof usePress>['touch']) => t.onTouchEnd()],
  ['the host taking the touch away', (t: ReturnType<typeof usePress>['touch']) => t.onTouchCancel()],
  ['a second finger', (t: ReturnType<typeof usePress>['touch']) => t.onTouchStart(touches([100, 100], [150, 100]))],
])('%s ends it', async (_what, end) => {
  const { touch, wasLong } = await press()
  touch.onTouchStart(touches([100, 100]))
  jest.advanceTimersByTime(349)
  await act(() => end(touch))
  jest.advanceTimersByTime(1_000)
  expect(long).not.toHaveBeenCalled()
  expect(wasLong()).toBe(false)
})
