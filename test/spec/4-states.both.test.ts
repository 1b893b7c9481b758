/** Spec §4: a logout and a reset clear exactly the listed state, in every tab of the browser. */
import type { UserInfo } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, dispatch, isLoggedIn, session, startSession } from '@/session/store'

const userInfo = {
  userId: 'u1',
  nickname: '峡谷旅客',
  avatar: '',
  mobileMasked: '138****8000',
  realName: { status: 'NONE' },
  hasPassword: false,
  wxBound: false,
  unread: 0,
  couponCount: 0,
  settings: {},
} as unknown as UserInfo

const plain = (state: unknown) => JSON.parse(JSON.stringify(state)) as Record<string, unknown>

const fullSession = {
  token: 't1',
  userId: 'u1',
  newUser: true,
  userInfo: plain(userInfo),
  iosUserPayParams: { productId: 'p' },
}
const fullApp = {
  isFirstTimeLaunch: false,
  channelCode: 'c1',
  bd_vid: 'b1',
  reportUnlockRecordId: 'r1',
  popupState: { coupon: 5 },
  platform: 'ios',
  lastFromPath: '/pages/home/index',
  reportTipKeys: ['k'],
  iosDefaultImage: 'i.png',
  shareDefaultImage: 's.png',
  moduleShownDay: '2026-11-21',
  textSize: 'large',
  reduceMotion: true,
}
const without = (state: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key)))

let storage = fakeStorage()

beforeEach(() => {
  storage = fakeStorage()
  startSession(storage)
  dispatch({ type: 'loggedIn', token: 't1', userId: 'u1', newUser: true })
  dispatch({ type: 'userInfoLoaded', userInfo })
  dispatch({ type: 'iosPayParamsReceived', params: { productId: 'p' } })
  dispatch({ type: 'launched', channelCode: 'c1', bd_vid: 'b1', platform: 'ios' })
  dispatch({ type: 'firstLaunchDone' })
  dispatch({ type: 'unlockRecordKept', recordId: 'r1' })
  dispatch({ type: 'popupShown', key: 'coupon', at: 5 })
  dispatch({ type: 'navigated', from: '/pages/home/index' })
  dispatch({ type: 'reportTipSeen', key: 'k' })
  dispatch({ type: 'defaultImagesLoaded', ios: 'i.png', share: 's.png' })
  dispatch({ type: 'moduleShown', day: '2026-11-21' })
  dispatch({ type: 'displayChosen', textSize: 'large', reduceMotion: true })
  expect([plain(session()), plain(appState())]).toEqual([fullSession, fullApp])
})

it('logout clears token, userId, userInfo, new-user flag and pay params, and the last-shown date of a module', () => {
  dispatch({ type: 'loggedOut' })
  expect(plain(session())).toEqual({ newUser: false })
  expect(plain(appState())).toEqual(without(fullApp, 'moduleShownDay'))
})

it('logout leaves no user data in storage', () => {
  dispatch({ type: 'loggedOut' })
  expect([...storage.data.keys()]).toEqual(['app'])
  for (const secret of ['t1', 'u1', '峡谷旅客', '138****8000', 'productId'])
    expect(storage.get('app')).not.toContain(`"${secret}"`)
})

it('resetting app info clears popup state, last-from path and report tip keys', () => {
  dispatch({ type: 'appReset' })
  expect(plain(session())).toEqual(fullSession)
  expect(plain(appState())).toEqual({ ...without(fullApp, 'lastFromPath'), popupState: {}, reportTipKeys: [] })
})

it('both survive a restart', () => {
  dispatch({ type: 'loggedOut' })
  dispatch({ type: 'appReset' })
  startSession(storage)
  expect(plain(session())).toEqual({ newUser: false })
  expect(plain(appState())).toEqual({
    ...without(fullApp, 'lastFromPath', 'moduleShownDay'),
    popupState: {},
    reportTipKeys: [],
  })
})

describe('another tab of the browser', () => {
  /** The other tab: what it stores after the same events. */
  const stored = (data: object) => JSON.stringify({ version: 1, data })

  it('logs out: here too', () => {
    storage.foreign('app', stored(without(fullApp, 'moduleShownDay')))
    storage.foreign('session', undefined)
    expect(plain(session())).toEqual({ newUser: false })
    expect(plain(appState())).toEqual(without(fullApp, 'moduleShownDay'))
  })

  it('resets: here too, but each tab keeps its own last-from path', () => {
    storage.foreign('app', stored({ ...without(fullApp, 'lastFromPath'), popupState: {}, reportTipKeys: [] }))
    expect(plain(appState())).toEqual({ ...fullApp, popupState: {}, reportTipKeys: [] })
  })

  it('logs in: this tab uses its token', () => {
    dispatch({ type: 'loggedOut' })
    storage.foreign('session', stored({ token: 't2', userId: 'u1', newUser: false }))
    expect(isLoggedIn()).toBe(true)
    expect(session().token).toBe('t2')
  })

  it('clears the whole storage: nobody is logged in here either', () => {
    storage.data.clear()
    storage.foreign('session', undefined)
    expect(isLoggedIn()).toBe(false)
  })
})
