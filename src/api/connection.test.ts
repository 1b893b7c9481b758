import { api, configureApi } from '@/api'
import type { Connection } from './connection'
import { ApiError } from './error'

/** Answers with the path it was asked for. */
function fakeConnection() {
  const paths: string[] = []
  const call: Connection['call'] = async ({ path }) => {
    paths.push(path)
    return path
  }
  return { paths, connection: { call } as Connection }
}

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

it('queues calls in order until the connection chunk has loaded', async () => {
  const { paths, connection } = fakeConnection()
  let loaded: (c: Connection) => void = () => undefined
  const loading = new Promise<Connection>((resolve) => {
    loaded = resolve
  })
  configureApi({ base: '', connect: () => loading })
  const answers = Promise.all([api.evaluation.hotGame({ limit: 4 }), api.app.banner({ place: 'HOME' })])
  expect(paths).toEqual([])
  loaded(connection)
  expect(await answers).toEqual(paths)
  expect(paths.map((path) => path.split('?')[0])).toEqual([
    expect.stringContaining('hot'),
    expect.stringContaining('banner'),
  ])
})

it('the next call loads the connection chunk again after a failure', async () => {
  const { paths, connection } = fakeConnection()
  const lost = new ApiError({ kind: 'network', code: 5, msg: '', behaviour: 'toast' })
  const connect = jest.fn<Promise<Connection>, []>().mockRejectedValueOnce(lost).mockResolvedValue(connection)
  configureApi({ base: '', connect })
  await expect(api.app.homeDataCount()).rejects.toBe(lost)
  await api.app.homeDataCount()
  await api.app.homeDataCount()
  expect([paths.length, connect.mock.calls.length]).toEqual([2, 2])
})

it('uses an embedded response once, and for equal calls within 300 ms, without loading anything', async () => {
  const { paths, connection } = fakeConnection()
  const connect = jest.fn(() => connection)
  const brought: Record<string, unknown> = { users: 7 }
  let left: unknown = brought
  const first = (path: string) => {
    if (!path.endsWith('home-data-count')) return undefined
    const answer = left
    left = undefined
    return answer
  }
  configureApi({ base: '', first, connect })
  expect(await Promise.all([api.app.homeDataCount(), api.app.homeDataCount()])).toEqual([brought, brought])
  expect(connect).not.toHaveBeenCalled()
  jest.advanceTimersByTime(300)
  await api.app.homeDataCount()
  expect(paths).toHaveLength(1)
})
