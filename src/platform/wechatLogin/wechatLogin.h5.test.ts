import { storage } from '../storage'
import { wechatLogin } from '.'

const state = () => JSON.parse(storage.get('wechat:login') ?? '{}').state as string
const visit = (query: string) => history.replaceState({ key: 'k' }, '', `/pagesA/pages/login/h5/index${query}`)
const request = (more: object = {}) =>
  storage.set(
    'wechat:login',
    JSON.stringify({ back: '/pages/mine/index', state: 'a'.repeat(32), at: Date.now(), ...more }),
  )

beforeEach(() => {
  localStorage.clear()
  visit('')
})

it('finds the answer to its own request once, and takes it out of the address', () => {
  request()
  visit(`?redirect=%2Fx&code=C1&state=${state()}`)
  expect(wechatLogin.returned()).toEqual({ back: '/pages/mine/index', bind: false, code: 'C1', state: 'a'.repeat(32) })
  expect(location.search).toBe('?redirect=%2Fx')
  expect(history.state).toEqual({ key: 'k' })
  expect(wechatLogin.returned()).toBeUndefined()
})

it.each([
  ['another state', () => request(), '?code=C1&state=bbbb'],
  ['no request at all', () => undefined, `?code=C1&state=${'a'.repeat(32)}`],
  ['a request that is too old', () => request({ at: Date.now() - 600_001 }), `?code=C1&state=${'a'.repeat(32)}`],
  ['a damaged request', () => storage.set('wechat:login', '{'), `?code=C1&state=${'a'.repeat(32)}`],
  ['a refusal', () => request(), `?state=${'a'.repeat(32)}`],
])('takes no code with %s, and the code leaves the address all the same', (_what, prepare, query) => {
  prepare()
  visit(query)
  expect(wechatLogin.returned()?.code).toBeUndefined()
  expect(location.href).not.toContain('C1')
  // a second answer, even a right one, finds no request any more
  visit(`?code=C2&state=${'a'.repeat(32)}`)
  expect(wechatLogin.returned()?.code).toBeUndefined()
})
