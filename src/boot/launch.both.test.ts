import { launch } from '@/platform/launch'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, dispatch, session, startSession } from '@/session/store'
import { fakeServer } from '../../test/fakes/api'
import { countVisit, handleReopen, rememberLaunch, storePayParams } from './launch'

const opened = (query: Record<string, string>) => {
  jest.spyOn(launch, 'query').mockReturnValue(query)
  rememberLaunch()
}

beforeEach(() => void startSession(fakeStorage()))
afterEach(() => {
  if (TEST_PLATFORM === 'h5') sessionStorage.clear()
})
afterEach(() => jest.restoreAllMocks())

it('remembers the channel of a visit until another one brings its own', () => {
  opened({ channelCode: '%E6%8A%96%E9%9F%B3', bd_vid: 'v1' })
  opened({})
  opened({ bd_vid: 'v2' })
  expect(appState()).toMatchObject({ channelCode: '抖音', bd_vid: 'v2' })
  opened({ recordId: 'r_1' })
  expect(appState().reportUnlockRecordId).toBe('r_1')
})

const IN_APP = TEST_PLATFORM === 'h5' ? 'ios' : TEST_PLATFORM

it("a native app's link names the platform for its tab, and only in a browser", () => {
  const storage = fakeStorage()
  startSession(storage)
  opened({ platform: 'ios' })
  expect(appState().platform).toBe(IN_APP)
  // the page is reloaded, or returned to from a cashier
  startSession(storage)
  opened({})
  expect(appState().platform).toBe(IN_APP)
})

it('a tab opened later is not in the native app whose platform is still stored', () => {
  startSession(fakeStorage({ app: JSON.stringify({ version: 1, data: { platform: 'ios' } }) }))
  opened({})
  expect(appState().platform).toBe(TEST_PLATFORM)
})

it('ignores damaged and unknown values', () => {
  const before = appState()
  opened({ channelCode: '%E4%', platform: 'toaster', bd_vid: '', recordId: '%E5%9D%8F' })
  expect(appState()).toEqual(before)
})

describe('a visit with a channel code', () => {
  const visits = (seen: { call: string; req: unknown }[]) =>
    seen.filter(({ call }) => call === 'app.countHit').map(({ req }) => req)
  const visited = (query: Record<string, string>) => {
    jest.spyOn(launch, 'query').mockReturnValue(query)
    countVisit(rememberLaunch())
  }

  it('is counted once, and not before the user agreed', async () => {
    const { seen } = fakeServer({ app: { countHit: () => ({ n: 1 }) } })
    visited({ channelCode: 'dy' })
    dispatch({ type: 'popupShown', key: 'privacy', at: 1 })
    expect(seen).toEqual([])
    dispatch({ type: 'firstLaunchDone' })
    dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
    dispatch({ type: 'loggedOut' })
    await Promise.resolve()
    expect(visits(seen)).toEqual([{ key: 'VISIT', bizId: 'dy' }])
  })

  it('is counted at once if the user agreed before; a link without channel is not counted', async () => {
    const { seen } = fakeServer({ app: { countHit: () => ({ n: 1 }) } })
    dispatch({ type: 'firstLaunchDone' })
    visited({})
    visited({ bd_vid: 'v' })
    await Promise.resolve()
    expect(visits(seen)).toEqual([{ key: 'VISIT', bizId: '' }])
  })
})

it('another link that opens the running app counts like the first', async () => {
  const { seen } = fakeServer({ app: { countHit: () => ({ n: 1 }) } })
  dispatch({ type: 'firstLaunchDone' })
  let reopen: (query: Record<string, string>) => void = () => undefined
  jest.spyOn(launch, 'onReopen').mockImplementation((listener) => {
    reopen = listener
  })
  handleReopen()
  reopen({ channelCode: 'ks', recordId: 'r_2' })
  await Promise.resolve()
  expect(appState()).toMatchObject({ channelCode: 'ks', reportUnlockRecordId: 'r_2' })
  expect(seen.map(({ req }) => req)).toEqual([{ key: 'VISIT', bizId: 'ks' }])
})

describe('the payment parameters of the iOS app', () => {
  const handed = (value: string) => {
    jest.spyOn(launch, 'query').mockReturnValue({ iosUserPayParams: encodeURIComponent(value) })
    const removed = jest.spyOn(launch, 'removeParam')
    storePayParams()
    expect(removed).toHaveBeenCalledWith('iosUserPayParams')
  }
  const logIn = () => dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })

  it('is kept with the session, from its beginning to its end', () => {
    handed('{"productId":"p1","n":3}')
    expect(session().iosUserPayParams).toBeUndefined()
    logIn()
    expect(session().iosUserPayParams).toEqual({ productId: 'p1' })
    dispatch({ type: 'loggedOut' })
    expect(session().iosUserPayParams).toBeUndefined()
    // no data of an earlier user is restored
    logIn()
    expect(session().iosUserPayParams).toBeUndefined()
  })

  it.each(['', '{', '[]', '"a"', '{}', '{"a":1}'])('rejects anything else: %s', (value) => {
    logIn()
    handed(value)
    expect(session().iosUserPayParams).toBeUndefined()
  })
})
