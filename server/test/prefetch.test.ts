import { APP_VERSION } from '@/contract/constants'
import type { PrefetchedData } from '@/contract/prefetch'
import { setupServer } from './harness'

const server = setupServer({ games: ['naraka'] })

// with the parameters that WeChat adds
const url = '/weapp/prefetch?appid=wx1&token=&timestamp=1&path=pages%2Fhome%2Findex&query=&scene=1001'
const ask = async (host = 'localhost:80') => {
  const answer = await server.app.inject({ url, headers: { host } })
  return { status: answer.statusCode, headers: answer.headers, data: answer.json<PrefetchedData>() }
}

test('home’s requests at launch are answered like the calls, without data that depend on the caller', async () => {
  const { status, headers, data } = await ask()
  expect([status, headers['cache-control']]).toEqual([200, 'no-store'])
  expect(String(headers['content-type'])).toContain('application/json')
  const [games] = Object.entries(data.all).filter(([key]) => key.includes('hot/game'))
  expect(games?.[1]).toEqual((await server.call('evaluation', 'hotGame', {})).body.data)
  expect(Object.keys(data.all).join()).not.toContain('can/receive')
  const payStatus = async (os: string) =>
    (
      await server.call(
        'app',
        'openPayStatus',
        { platform: 'weapp', version: APP_VERSION },
        { headers: { platform: 'weapp', os } },
      )
    ).body.data
  expect(Object.values(data.ios)).toEqual([await payStatus('ios')])
  expect(Object.values(data.other)).toEqual([await payStatus('android')])
  for (const key of [...Object.keys(data.ios), ...Object.keys(data.other)])
    expect(key).toBe(`/app-api/common/open-pay-status?platform=weapp&version=${APP_VERSION}\n`)
  expect(JSON.stringify(data).length).toBeLessThan(256 * 1024)
})

test('picture URLs use the origin of the request, never that of another caller', async () => {
  const picture = server.lifecycle.deps?.repositories.content.pictures()[0] ?? ''
  expect(picture).not.toBe('')
  await server.database.db
    .insertInto('banners')
    .values({ place: 'HOME', title: '图', picture, link: '', link_type: 'NONE', sort: 0, active: true, updated_at: 0 })
    .execute()
  expect(JSON.stringify((await ask('other.example')).data)).toContain('http://other.example/content/pictures/')
  const own = JSON.stringify((await ask('api.example')).data)
  expect(own).toContain('http://api.example/content/pictures/')
  expect(own).not.toContain('other.example')
})

test('the route responds 503 while the database is unavailable', async () => {
  const { deps } = server.lifecycle
  server.lifecycle.deps = undefined as never
  expect((await ask('down.example')).status).toBe(503)
  Object.assign(server.lifecycle, { deps })
})
