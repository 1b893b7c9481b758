import { eventCenter } from '@tarojs/taro'
import { fakeStorage } from '@/platform/storage/fake'
import { dispatch, startSession } from '@/session/store'
import { navigations } from '../../test/fakes/navigation'
import { setupH5Router } from './h5-router'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

interface Chunk {
  resolve(page: object): void
  reject(e: Error): void
}
const chunks: Chunk[] = []
const config = {
  animation: true,
  routes: ['pages/home/index', 'pages/mine/index'].map((path) => ({
    path,
    navigationBarTitleText: undefined as string | undefined,
    load: (context: unknown, params: unknown): [Promise<unknown>, unknown, unknown] => [
      new Promise((resolve, reject) => chunks.push({ resolve, reject })),
      context,
      params,
    ],
  })),
}
setupH5Router(config)

const overlay = () => document.querySelector<HTMLElement>('.pf-overlay')
const mounted: unknown[] = []

/** A navigation as Taro's router does it. */
function navigate(i: number) {
  eventCenter.trigger('__taroRouterChange', { toLocation: { path: '' } })
  const [page] = config.routes[i]?.load({}, {}) ?? []
  void page?.then((p) => mounted.push(p))
}
const chunk = (i = chunks.length - 1): Chunk => {
  const c = chunks[i]
  if (!c) throw new Error('nothing was requested')
  return c
}

beforeEach(() => {
  jest.useFakeTimers()
  chunks.length = 0
  mounted.length = 0
  navigations.length = 0
  startSession(fakeStorage())
  Object.assign(globalThis, { fetch: jest.fn().mockRejectedValue(new Error('offline')) })
  jest.spyOn(console, 'warn').mockImplementation(() => undefined)
})
afterEach(() => {
  eventCenter.trigger('__taroRouterChange', {})
  document.head.innerHTML = ''
  jest.restoreAllMocks()
  jest.useRealTimers()
})

it('shows the loading placeholder after 200 ms and mounts the page when its code arrives', async () => {
  navigate(0)
  await jest.advanceTimersByTimeAsync(199)
  expect(overlay()).toBeNull()
  await jest.advanceTimersByTimeAsync(1)
  expect(overlay()?.dataset.state).toBe('loading')
  chunk().resolve({ home: 1 })
  await jest.advanceTimersByTimeAsync(0)
  expect(overlay()).toBeNull()
  expect(mounted).toEqual([{ home: 1 }])
})

it('shows no placeholder for a fast page', async () => {
  navigate(0)
  await jest.advanceTimersByTimeAsync(150)
  chunk().resolve({})
  await jest.advanceTimersByTimeAsync(60_000)
  expect(overlay()).toBeNull()
})

it('shows the error placeholder after 60 s; a tap loads this page again', async () => {
  navigate(0)
  await jest.advanceTimersByTimeAsync(59_999)
  expect(overlay()?.dataset.state).toBe('loading')
  await jest.advanceTimersByTimeAsync(1)
  expect(overlay()?.dataset.state).toBe('error')
  overlay()?.click()
  expect(chunks).toHaveLength(2)
  chunk(1).resolve({ second: 1 })
  await jest.advanceTimersByTimeAsync(0)
  expect(overlay()).toBeNull()
  expect(mounted).toEqual([{ second: 1 }])
})

it('shows the error placeholder at once when the code fails to load', async () => {
  navigate(0)
  chunk().reject(new Error('ChunkLoadError'))
  await jest.advanceTimersByTimeAsync(0)
  expect(overlay()?.dataset.state).toBe('error')
})

it('never mounts a page, nor shows a placeholder for it, once the user has gone elsewhere', async () => {
  navigate(0)
  const late = chunk()
  navigate(0)
  chunk().resolve({ now: 1 })
  await jest.advanceTimersByTimeAsync(60_000)
  late.resolve({ late: 1 })
  await jest.advanceTimersByTimeAsync(0)
  expect(mounted).toEqual([{ now: 1 }])
  expect(overlay()).toBeNull()
})

it('does not even request the code of a protected page before login', async () => {
  navigate(1)
  await jest.advanceTimersByTimeAsync(0)
  expect(chunks).toHaveLength(0)
  const back = encodeURIComponent('/pages/mine/index')
  expect(navigations).toEqual([`replace /pagesA/pages/login/h5/index?redirect=${back}`])
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  navigate(1)
  expect(chunks).toHaveLength(1)
})

it('reloads once when the server has another build, and only then', async () => {
  document.head.innerHTML = '<script src="/js/app.aaaa1111.js"></script>'
  const served = (html: string) =>
    jest.mocked(fetch).mockResolvedValue({ ok: true, text: async () => html } as Response)
  served('<script src="/js/app.aaaa1111.js">')
  navigate(0)
  chunk().reject(new Error('500'))
  await jest.advanceTimersByTimeAsync(0)
  expect(overlay()?.dataset.state).toBe('error')
  expect(sessionStorage.getItem('gav.recovered')).toBeNull()
  served('<script src="/js/app.bbbb2222.js">')
  // jsdom cannot reload: it says so on its console
  const reloaded = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  navigate(0)
  chunk().reject(new Error('404'))
  await jest.advanceTimersByTimeAsync(0)
  expect(reloaded).toHaveBeenCalledTimes(1)
  expect(overlay()).toBeNull()
  navigate(0)
  chunk().reject(new Error('404'))
  await jest.advanceTimersByTimeAsync(0)
  expect(reloaded).toHaveBeenCalledTimes(1)
  expect(overlay()?.dataset.state).toBe('error')
})

it('titles pages from the route table and switches the transitions off', () => {
  expect(config.routes.map((r) => r.navigationBarTitleText)).toEqual(['游戏账号估价专家', '我的'])
  expect(config.animation).toBe(false)
})
