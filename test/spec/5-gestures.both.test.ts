/** Spec §5: multi-touch and double-tap zoom are blocked; a second tap within 300 ms is suppressed. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { hooks } from '@tarojs/shared'
import { installGestures } from '@/platform/gestures'

const weapp = TEST_PLATFORM === 'weapp'
const arrived: string[] = []

/** A touch tap at `at` ms. @returns whether the button received it */
let tap: (id: string, at: number) => boolean

beforeAll(() => {
  jest.useFakeTimers({ now: 0 })
  installGestures()
  document.body.innerHTML = ['a', 'b', 'c', 'd', 'e'].map((id) => `<button id="${id}"></button>`).join('')
  document.body.insertAdjacentHTML('beforeend', '<input id="field">')
  document.body.addEventListener('click', (e) => arrived.push((e.target as Element).id))
  const startedAt = performance.now()
  tap = weapp
    ? (id, at) => {
        const event = { type: 'tap', timeStamp: at, target: { id }, currentTarget: { id, dataset: {} } }
        hooks.call('modifyMpEvent', event as never)
        // Taro dispatches only events with a target element
        return event.currentTarget.id === id
      }
    : (id, at) => {
        jest.advanceTimersByTime(Math.max(0, at - (performance.now() - startedAt)))
        const before = arrived.length
        const click = new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 })
        document.getElementById(id)?.dispatchEvent(click)
        return arrived.length > before
      }
})
afterAll(() => jest.useRealTimers())

it.each([
  ['a', 1_000, 1_299, false],
  ['b', 2_000, 2_300, true],
  ['c', 3_000, 3_001, false],
  ['d', 4_000, 5_000, true],
] as const)('two taps on %s at %i and %i ms: the second arrives: %s', (id, first, second, arrives) => {
  expect(tap(id, first)).toBe(true)
  expect(tap(id, second)).toBe(arrives)
})

it('taps on two different buttons are not suppressed', () => {
  expect([tap('a', 10_000), tap('b', 10_001), tap('a', 10_002)]).toEqual([true, true, true])
})

if (!weapp) {
  it('taps on fields are not suppressed', () => {
    expect([tap('field', 20_000), tap('field', 20_001), tap('field', 20_002)]).toEqual([true, true, true])
  })

  it.each([
    [1, false],
    [2, true],
    [3, true],
  ])('a touch with %i fingers is blocked: %s', (length, blocked) => {
    const event = Object.assign(new Event('touchstart', { bubbles: true, cancelable: true }), { touches: { length } })
    document.body.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(blocked)
  })

  it("Safari's own pinch is blocked", () => {
    const event = new Event('gesturestart', { bubbles: true, cancelable: true })
    document.body.dispatchEvent(event)
    expect(event.defaultPrevented).toBe(true)
  })

  it('double-tap zoom is off', () => {
    expect(document.documentElement.style.touchAction).toBe('manipulation')
    const html = readFileSync(path.resolve(__dirname, '../../src/index.html'), 'utf8')
    expect(html).toMatch(/<meta name="viewport" content="[^"]*maximum-scale=1,user-scalable=no/)
  })
}
