import { api, configureApi } from '@/api'
import { ApiError } from './error'
import type { NetworkApi } from './networkApi'

/** Answers with the path it was asked for. */
function fakeNetworkApi() {
  const paths: string[] = []
  const call: NetworkApi['call'] = async ({ path }) => {
    paths.push(path)
    return path
  }
  return { paths, networkApi: { call } as NetworkApi }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

it('queues calls in order until the network API has loaded', async () => {
  const { paths, networkApi } = fakeNetworkApi()
  let loaded: (c: NetworkApi) => void = () => undefined
  const loading = new Promise<NetworkApi>((resolve) => {
    loaded = resolve
  })
  configureApi({ base: '', loadNetworkApi: () => loading })
  const answers = Promise.all([api.evaluation.hotGame({ limit: 4 }), api.app.banner({ place: 'HOME' })])
  expect(paths).toEqual([])
  loaded(networkApi)
  expect(await answers).toEqual(paths)
  expect(paths.map((path) => path.split('?')[0])).toEqual([
    expect.stringContaining('hot'),
    expect.stringContaining('banner'),
  ])
})

it('the next call loads the network API again after a failure', async () => {
  const { paths, networkApi } = fakeNetworkApi()
  const lost = new ApiError({ kind: 'network', code: 5, msg: '', behaviour: 'toast' })
  const loadNetworkApi = jest.fn<Promise<NetworkApi>, []>().mockRejectedValueOnce(lost).mockResolvedValue(networkApi)
  configureApi({ base: '', loadNetworkApi })
  await expect(api.app.homeDataCount()).rejects.toBe(lost)
  await api.app.homeDataCount()
  await api.app.homeDataCount()
  expect([paths.length, loadNetworkApi.mock.calls.length]).toEqual([2, 2])
})

it('uses an embedded response once, and for equal calls within 300 ms, without loading anything', async () => {
  const { paths, networkApi } = fakeNetworkApi()
  const loadNetworkApi = jest.fn(() => networkApi)
  const brought: Record<string, unknown> = { users: 7 }
  let left: unknown = brought
  const first = (path: string) => {
    if (!path.endsWith('home-data-count')) return undefined
    const answer = left
    left = undefined
    return answer
  }
  configureApi({ base: '', first, loadNetworkApi })
  expect(await Promise.all([api.app.homeDataCount(), api.app.homeDataCount()])).toEqual([brought, brought])
  expect(loadNetworkApi).not.toHaveBeenCalled()
  jest.advanceTimersByTime(300)
  await api.app.homeDataCount()
  expect(paths).toHaveLength(1)
})
