/** Spec §9, line by line: each number with its unit, and that it holds where it matters. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { createApi } from '@/api'
import { createClient } from '@/api/client'
import { createDeduplication } from '@/api/deduplicate'
import {
  APP_VERSION,
  BASE_WIDTH,
  DEDUPE_WINDOW,
  DEFAULT_DEBOUNCE,
  DOUBLE_TAP_BLOCK,
  HOME_ORDER_COUNT,
  LONG_PRESS,
  LONG_PRESS_TOLERANCE,
  MAX_WIDTH,
  NETWORK_TIMEOUT,
  PAGE_LOADING_DELAY,
  PAGE_LOADING_TIMEOUT,
  PREVIEW_SCALE_MAX,
  PREVIEW_SCALE_MIN,
  REQUEST_CACHE_PURGE,
  ROOT_FONT_DIVISOR,
  SIGN_RANDOM_DIGITS,
  TOAST_DURATION,
  VERSION_CODE,
} from '@/contract/constants'
import { debounce } from '@/lib/debounce'
import { device } from '@/platform/device'
import { dialog } from '@/platform/dialog'
import { clampScale } from '@/platform/imagePreview/zoom'
import { transport } from '@/platform/transport'
import { fakeTransport } from '@/platform/transport/fake'
import { NetFailure } from '@/platform/transport/port'
import { usePress } from '@/ui/usePress'
import { renderHook } from '../fakes/taro'

const weapp = TEST_PLATFORM === 'weapp'
const source = (file: string) => readFileSync(path.resolve(__dirname, '../../src', file), 'utf8')

it.each([
  ['app version (§1)', APP_VERSION, '2.0.4'],
  ['version code (§1)', VERSION_CODE, 204],
  ['network time-out, ms', NETWORK_TIMEOUT, 60_000],
  ['duplicate-request window, ms', DEDUPE_WINDOW, 300],
  ['request cache purge, ms', REQUEST_CACHE_PURGE, 1_000],
  ['double-tap block, ms', DOUBLE_TAP_BLOCK, 300],
  ['default debounce, ms', DEFAULT_DEBOUNCE, 500],
  ['lazy page loading: delay, ms', PAGE_LOADING_DELAY, 200],
  ['lazy page loading: time-out, ms', PAGE_LOADING_TIMEOUT, 60_000],
  ['latest orders on home', HOME_ORDER_COUNT, 15],
  ['long press, ms', LONG_PRESS, 350],
  ['long press tolerance, px', LONG_PRESS_TOLERANCE, 10],
  ['toast default, ms', TOAST_DURATION, 1_500],
  ['image preview scale from', PREVIEW_SCALE_MIN, 1],
  ['image preview scale to', PREVIEW_SCALE_MAX, 4],
  ['root font size is viewport width divided by', ROOT_FONT_DIVISOR, 23.4375],
  ['base width, px', BASE_WIDTH, 375],
  ['maximum width, px', MAX_WIDTH, 960],
  ['digits of the random number', SIGN_RANDOM_DIGITS, 6],
] as const)('%s: %p', (_spec, ours, value) => expect(ours).toBe(value))

beforeEach(() => jest.useFakeTimers({ now: 1763692800000 }))
afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

describe('network time-out 60000 ms', () => {
  const common = { url: 'https://x.test/', headers: {}, timeoutMs: 60_000 }
  const upload = { ...common, file: weapp ? 'wxfile://x' : 'blob:x', name: 'file', fields: {} }
  const failed = (running: { done: Promise<unknown> }) => {
    const seen: unknown[] = []
    running.done.catch((e: unknown) => seen.push(e instanceof NetFailure ? e.code : e))
    return seen
  }

  it('is requested by every call', () => {
    const { transport, caught } = fakeTransport()
    const nothing = () => undefined
    const api = createApi(
      createClient({
        base: '',
        secret: 's',
        transport,
        device,
        credentials: () => ({}),
        now: Date.now,
        random: Math.random,
        showError: nothing,
        promptRetry: () => ({ answer: Promise.resolve(false), close: nothing }),
      }).call,
    )
    void api.app.homeDataCount()
    void api.evaluation.hotGame()
    expect(caught.map((c) => c.timeoutMs)).toEqual([60_000, 60_000])
  })

  if (weapp) {
    it.each([
      ['request', 'request', () => transport.request({ ...common, method: 'GET' })],
      ['upload', 'uploadFile', () => transport.upload(upload)],
      ['download', 'downloadFile', () => transport.download(common)],
    ] as const)('%s: the host is notified', (_what, method, start) => {
      const called = jest.spyOn(wx, method)
      failed(start())
      expect(called.mock.calls[0]?.[0]).toMatchObject({ timeout: 60_000 })
    })

    it('request, socket, upload and download: in app.json', () => {
      const scope = globalThis as Record<string, unknown>
      scope.defineAppConfig = (config: object) => config
      expect(require('@/app.config').default.networkTimeout).toEqual({
        request: 60_000,
        connectSocket: 60_000,
        uploadFile: 60_000,
        downloadFile: 60_000,
      })
    })
  }

  it.each([
    ['request', () => transport.request({ ...common, method: 'GET' })],
    ['upload', () => transport.upload(upload)],
    ['download', () => transport.download(common)],
  ] as const)('%s: given up with code 5, not a millisecond earlier', async (_what, start) => {
    // the fake host never answers
    const silent = { open() {}, setRequestHeader() {}, send() {}, abort() {}, upload: {} }
    const fetch = () => new Promise(() => undefined)
    Object.assign(globalThis, { fetch, XMLHttpRequest: jest.fn(() => ({ ...silent })) })
    const codes = failed(start())
    await jest.advanceTimersByTimeAsync(59_999)
    expect(codes).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(codes).toEqual([5])
  })
})

it('duplicate-request window 300 ms, purge of the request cache after 1000 ms', async () => {
  const sharing = createDeduplication(Date.now)
  let started = 0
  const ask = () =>
    sharing.run({
      key: 'k',
      changesState: false,
      sharesFailure: true,
      start: async () => ++started,
      left: () => new Error('left'),
    })
  expect(await ask()).toBe(1)
  await jest.advanceTimersByTimeAsync(299)
  expect(await ask()).toBe(1)
  await jest.advanceTimersByTimeAsync(1)
  expect(await ask()).toBe(2)
  await jest.advanceTimersByTimeAsync(699)
  expect(sharing.size()).toBe(1)
  // the second one was started at 300 ms
  await jest.advanceTimersByTimeAsync(1_001)
  expect(sharing.size()).toBe(0)
})

it('toast default 1500 ms', () => {
  if (weapp) {
    const shown = jest.spyOn(wx, 'showToast')
    dialog.toast('好')
    expect(shown).toHaveBeenCalledWith(expect.objectContaining({ title: '好', icon: 'none', duration: 1_500 }))
    return
  }
  dialog.toast('好')
  jest.advanceTimersByTime(1_499)
  expect(document.querySelector('.pf-toast')?.textContent).toBe('好')
  jest.advanceTimersByTime(1)
  expect(document.querySelector('.pf-toast')).toBeNull()
})

it('image preview scale 1 to 4, whatever the gesture', () => {
  const asked = [0, 0.99, 1, 3.99, 4, 4.01, 100]
  expect(asked.map(clampScale)).toEqual([1, 1, 1, 3.99, 4, 4, 4])
})

it('default debounce 500 ms', () => {
  const run = jest.fn()
  debounce(run, DEFAULT_DEBOUNCE).call()
  jest.advanceTimersByTime(499)
  expect(run).not.toHaveBeenCalled()
  jest.advanceTimersByTime(1)
  expect(run).toHaveBeenCalledTimes(1)
})

describe('long press 350 ms with 10 px tolerance', () => {
  const times = async (ms: number, px: number) => {
    const long = jest.fn()
    document.body.innerHTML = '<div id="app"></div>'
    // React mounts with the real clock only
    jest.useRealTimers()
    const { touch } = (await renderHook(() => usePress(long))).current
    jest.useFakeTimers()
    touch.onTouchStart({ touches: [{ clientX: 50, clientY: 50 }] })
    touch.onTouchMove({ touches: [{ clientX: 50, clientY: 50 + px }] })
    jest.advanceTimersByTime(ms)
    touch.onTouchEnd()
    jest.advanceTimersByTime(1_000)
    return long.mock.calls.length
  }
  it.each([
    [349, 0, 0],
    [350, 0, 1],
    [350, 10, 1],
    [350, 11, 0],
  ])('%i ms, %i px: %i', async (ms, px, expected) => expect(await times(ms, px)).toBe(expected))
})

describe('root font size is viewport width divided by 23.4375, base width 375, maximum 960', () => {
  const sizeAt = (width: number) => {
    const script = /<script>([\s\S]*?)<\/script>/.exec(source('index.html'))?.[1] ?? ''
    const root = document.createElement('html')
    Object.defineProperty(root, 'clientWidth', { value: width })
    new Function('document', 'addEventListener', script)({ documentElement: root }, () => undefined)
    return Number.parseFloat(root.style.fontSize)
  }

  if (!weapp)
    it.each([200, BASE_WIDTH, MAX_WIDTH, MAX_WIDTH + 1])('index.html agrees with the contract at %i px', (width) => {
      expect(sizeAt(width)).toBeCloseTo((width > MAX_WIDTH ? BASE_WIDTH : width) / ROOT_FONT_DIVISOR, 5)
    })

  if (!weapp)
    it.each([
      [320, 13.653333],
      [375, 16],
      [414, 17.664],
      [768, 32.768],
      [960, 40.96],
      // on wider screens: the base width in a centred column
      [961, 16],
      [1280, 16],
    ])('width %i px: %f px', (width, px) => {
      expect(sizeAt(width)).toBeCloseTo(px, 5)
    })

  it('the mini-program: the design is drawn at the same base width, 1 px = 2 rpx', () => {
    const config = readFileSync(path.resolve(__dirname, '../../config/index.ts'), 'utf8')
    expect(config).toContain(`designWidth: ${BASE_WIDTH},`)
    expect(config).toContain(`deviceRatio: { ${BASE_WIDTH}: 2,`)
  })
})
