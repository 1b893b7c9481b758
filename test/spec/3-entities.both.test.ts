/** Spec §3: stored entities with their keys, and the fields of every response. */
import { classify } from '@/api/classify'
import type { Envelope, Res, UserInfo } from '@/contract/types'
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
  unread: 2,
  couponCount: 1,
  settings: {
    pushReport: true,
    pushActivity: false,
    showAsExample: false,
    fontScale: 1,
    reduceMotion: false,
    personalised: false,
  },
} satisfies UserInfo

/** Session (persisted) and app state (persisted), field by field. */
const kept = {
  session: {
    token: 't1',
    userId: 'u1',
    newUser: true,
    userInfo,
    iosUserPayParams: { productId: 'p' },
  },
  app: {
    isFirstTimeLaunch: false,
    channelCode: '抖音',
    bd_vid: 'b1',
    reportUnlockRecordId: 'r1',
    popupState: { coupon: 1763692800000 },
    platform: 'h5',
    lastFromPath: '/pages/home/index',
    reportTipKeys: ['confidence'],
    iosDefaultImage: 'https://x/ios.png',
    shareDefaultImage: 'https://x/share.png',
  },
}

function live() {
  dispatch({ type: 'loggedIn', token: 't1', userId: 'u1', newUser: true })
  dispatch({ type: 'userInfoLoaded', userInfo })
  dispatch({ type: 'iosPayParamsReceived', params: { productId: 'p' } })
  dispatch({ type: 'launched', channelCode: '抖音', bd_vid: 'b1', platform: 'h5' })
  dispatch({ type: 'firstLaunchDone' })
  dispatch({ type: 'unlockRecordKept', recordId: 'r1' })
  dispatch({ type: 'popupShown', key: 'coupon', at: 1763692800000 })
  dispatch({ type: 'navigated', from: '/pages/home/index' })
  dispatch({ type: 'reportTipSeen', key: 'confidence' })
  dispatch({ type: 'defaultImagesLoaded', ios: 'https://x/ios.png', share: 'https://x/share.png' })
}

it('session and app state are persisted under these names', () => {
  const storage = fakeStorage()
  startSession(storage)
  live()
  const stored = (key: string) => JSON.parse(storage.get(key) ?? '{}').data
  expect(stored('session')).toEqual(kept.session)
  expect(stored('app')).toMatchObject(kept.app)
  startSession(fakeStorage())
  expect(session()).toEqual({ newUser: false })
  startSession(storage)
  expect(session()).toEqual(kept.session)
  expect(appState()).toMatchObject(kept.app)
})

it('a fresh device: first launch, this platform, nothing else', () => {
  startSession(fakeStorage())
  expect(session()).toEqual({ newUser: false })
  expect(JSON.parse(JSON.stringify(appState()))).toEqual({
    isFirstTimeLaunch: true,
    popupState: {},
    platform: TEST_PLATFORM,
    reportTipKeys: [],
    // our own: zooming is blocked (§5)
    textSize: 'normal',
    reduceMotion: false,
  })
})

it('logged in when a token exists', () => {
  startSession(fakeStorage())
  expect(isLoggedIn()).toBe(false)
  dispatch({ type: 'loggedIn', token: 't1', userId: 'u1', newUser: false })
  expect(isLoggedIn()).toBe(true)
  dispatch({ type: 'loggedOut' })
  expect(isLoggedIn()).toBe(false)
})

it('login response: token, userId, newUser', () => {
  // a missing or an additional key does not compile
  const smsLogin: Required<Res<'user', 'smsLogin'>> = { token: 't1', userId: 'u1', newUser: true }
  const login: Required<Res<'user', 'login'>> = smsLogin
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', ...login })
  expect(session()).toEqual({ token: 't1', userId: 'u1', newUser: true })
})

it('every call response: success, msg, data, code', () => {
  const answer: Required<Envelope<unknown>> = { success: true, msg: '操作成功', data: { a: 1 }, code: 'OK' }
  const judged = (data: unknown) => classify({ status: 200, headers: {}, data })
  expect(judged(answer)).toBeUndefined()
  expect(judged({ ...answer, success: false, msg: '券已过期', code: 'COUPON_NOT_USABLE' })).toMatchObject({
    code: 'COUPON_NOT_USABLE',
    msg: '券已过期',
    data: { a: 1 },
  })
  // a response without envelope is not from our server
  for (const other of ['<html>', '', null, [], { data: { a: 1 } }]) expect(judged(other)?.msg).toBe('未知错误')
})

const hostile: readonly [what: string, text: string][] = [
  ['no JSON', '{"version":1,"da'],
  ['another shape', '[1,2,3]'],
  ['another kind', '"session"'],
  ['null', 'null'],
  ['a version that never was', '{"version":0,"data":{"token":"x"}}'],
  ['a version that is text', '{"version":"9","data":{"token":"x"}}'],
  ['fields of wrong kinds', '{"version":1,"data":{"token":{"a":1},"popupState":[],"reportTipKeys":"x","platform":7}}'],
  ['the prototype', '{"version":1,"data":{"__proto__":{"token":"x"},"popupState":{"__proto__":{"x":1}}}}'],
  ['a token of 5 000 characters', JSON.stringify({ version: 1, data: { token: 'x'.repeat(5000) } })],
]

it.each(hostile)('unreadable storage falls back to the defaults: %s', (_what, text) => {
  expect(() => startSession(fakeStorage({ session: text, app: text }))).not.toThrow()
  expect(isLoggedIn()).toBe(false)
  expect(session()).toEqual({ newUser: false })
  expect(appState()).toMatchObject({
    isFirstTimeLaunch: true,
    popupState: {},
    reportTipKeys: [],
    platform: TEST_PLATFORM,
  })
  expect(({} as { x?: number }).x).toBeUndefined()
})
