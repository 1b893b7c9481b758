import fc from 'fast-check'
import type { UserInfo } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { APP_KEY, readApp, readSession, SESSION_KEY } from './persist'
import { reduce, type SessionEvent } from './reduce'
import { type AppState, initialApp, type State } from './state'
import { appState, appStateAtom, dispatch, session, startSession, store } from './store'

const userInfo = {
  userId: 'u1',
  nickname: '小明',
  avatar: '',
  mobileMasked: '138****8000',
  realName: { status: 'NONE' },
  hasPassword: false,
  wxBound: false,
  unread: 0,
  couponCount: 0,
  settings: { fontScale: 1, reduceMotion: false },
} as unknown as UserInfo

const full: State = {
  session: { token: 't1', userId: 'u1', newUser: true, userInfo, iosUserPayParams: { a: '1' } },
  app: {
    isFirstTimeLaunch: false,
    channelCode: 'c',
    bd_vid: 'b',
    reportUnlockRecordId: 'r',
    popupState: { coupon: 5 },
    platform: 'ios',
    lastFromPath: '/pages/home/index',
    reportTipKeys: ['k'],
    iosDefaultImage: 'i.png',
    shareDefaultImage: 's.png',
    moduleShownDay: '2026-11-21',
    textSize: 'large',
    reduceMotion: true,
  },
}

const stored = (key: string, data: unknown, version = 1) => ({ [key]: JSON.stringify({ version, data }) })

const without = (state: object, ...keys: string[]) =>
  Object.fromEntries(Object.entries(state).filter(([key]) => !keys.includes(key)))

describe('spec §4: a logout and a reset clear exactly the listed state', () => {
  const loggedOut = { session: { newUser: false }, app: without(full.app, 'moduleShownDay') }
  const reset = { popupState: {}, reportTipKeys: [] }
  /** Without what is undefined. */
  const now = () => JSON.parse(JSON.stringify({ session: session(), app: appState() }))
  let storage = fakeStorage()
  beforeEach(() => {
    storage = fakeStorage()
    startSession(storage)
    dispatch({ type: 'loggedIn', token: 't1', userId: 'u1', newUser: true })
    dispatch({ type: 'userInfoLoaded', userInfo })
    dispatch({ type: 'iosPayParamsReceived', params: { a: '1' } })
    dispatch({ type: 'launched', channelCode: 'c', bd_vid: 'b', platform: 'ios' })
    dispatch({ type: 'firstLaunchDone' })
    dispatch({ type: 'unlockRecordKept', recordId: 'r' })
    dispatch({ type: 'popupShown', key: 'coupon', at: 5 })
    dispatch({ type: 'navigated', from: '/pages/home/index' })
    dispatch({ type: 'reportTipSeen', key: 'k' })
    dispatch({ type: 'defaultImagesLoaded', ios: 'i.png', share: 's.png' })
    dispatch({ type: 'moduleShown', day: '2026-11-21' })
    dispatch({ type: 'displayChosen', textSize: 'large', reduceMotion: true })
    expect(now()).toEqual(full)
  })

  it('logout clears token, userId, userInfo, new-user flag, pay params and the last-shown date, in storage too', () => {
    dispatch({ type: 'loggedOut' })
    expect(now()).toEqual(loggedOut)
    expect([...storage.data.keys()]).toEqual([APP_KEY])
    for (const secret of ['t1', 'u1', '小明', '138****8000', 'a'])
      expect(storage.get(APP_KEY)).not.toContain(`"${secret}"`)
  })

  it('resetting app info clears popup state, last-from path and report tip keys', () => {
    dispatch({ type: 'appReset' })
    expect(now()).toEqual({ session: full.session, app: { ...without(full.app, 'lastFromPath'), ...reset } })
  })

  it('both survive a restart', () => {
    dispatch({ type: 'loggedOut' })
    dispatch({ type: 'appReset' })
    startSession(storage)
    expect(now()).toEqual({ ...loggedOut, app: { ...without(loggedOut.app, 'lastFromPath'), ...reset } })
  })
})

describe('reducer', () => {
  const event: fc.Arbitrary<SessionEvent> = fc.oneof(
    fc.record({
      type: fc.constant('loggedIn' as const),
      token: fc.string({ minLength: 1 }),
      userId: fc.string(),
      newUser: fc.boolean(),
    }),
    fc.constant<SessionEvent>({ type: 'userInfoLoaded', userInfo }),
    fc.constant<SessionEvent>({ type: 'iosPayParamsReceived', params: { a: '1' } }),
    fc.constant<SessionEvent>({ type: 'loggedOut' }),
    fc.constant<SessionEvent>({ type: 'appReset' }),
    fc.record({ type: fc.constant('reportTipSeen' as const), key: fc.string() }),
    fc.record({ type: fc.constant('navigated' as const), from: fc.string() }),
    fc.record({ type: fc.constant('popupShown' as const), key: fc.string(), at: fc.nat() }),
  )

  it('never keeps anything of a user without a token, after any events', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 30 }), (events) => {
        const end = events.reduce(reduce, { session: { newUser: false }, app: initialApp('h5') })
        if (end.session.token === undefined) expect(end.session).toEqual({ newUser: false })
        expect(new Set(end.app.reportTipKeys).size).toBe(end.app.reportTipKeys.length)
      }),
    )
  })

  it('removes all data of the previous user on login', () => {
    const next = reduce(full, { type: 'loggedIn', token: 'n', userId: 'u2', newUser: false })
    expect(next.session).toEqual({ token: 'n', userId: 'u2', newUser: false })
  })
})

it('a record id from a link is kept only if it can be sent in a header, from storage too', () => {
  const hostile = '%E6'.repeat(1000)
  for (const recordId of ['a'.repeat(65), hostile, 'a b', ''])
    expect(reduce(full, { type: 'unlockRecordKept', recordId })).toBe(full)
  expect(reduce(full, { type: 'unlockRecordKept', recordId: 'r-2_' }).app.reportUnlockRecordId).toBe('r-2_')
  const storage = fakeStorage(stored(APP_KEY, { reportUnlockRecordId: '验'.repeat(100) }))
  expect(readApp(storage, 'h5').reportUnlockRecordId).toBeUndefined()
})

it('an answer about another user than the current one is ignored', () => {
  const other = { ...full, session: { token: 't2', userId: 'u2', newUser: false } }
  expect(reduce(other, { type: 'userInfoLoaded', userInfo })).toBe(other)
})

describe('storage', () => {
  it('stores what a subscriber dispatches while an event is being stored', () => {
    const storage = fakeStorage()
    startSession(storage)
    const end = store.sub(appStateAtom, () => dispatch({ type: 'reportTipSeen', key: 'k' }))
    dispatch({ type: 'moduleShown', day: '2026-11-25' })
    end()
    expect(readApp(storage, 'h5')).toMatchObject({ reportTipKeys: ['k'], moduleShownDay: '2026-11-25' })
  })

  it('finds everything again after a restart', () => {
    const storage = fakeStorage()
    startSession(storage)
    dispatch({ type: 'loggedIn', token: 't1', userId: 'u1', newUser: true })
    dispatch({ type: 'userInfoLoaded', userInfo })
    dispatch({ type: 'reportTipSeen', key: 'k' })
    dispatch({ type: 'displayChosen', textSize: 'large' })
    dispatch({ type: 'launched', platform: 'ios' })
    dispatch({ type: 'iosPayParamsReceived', params: { b: '2' } })
    dispatch({ type: 'navigated', from: '/pages/mine/index' })
    startSession(storage)
    expect(session()).toEqual({ ...full.session, iosUserPayParams: { b: '2' } })
    expect(appState()).toMatchObject({
      lastFromPath: '/pages/mine/index',
      platform: 'ios',
      reportTipKeys: ['k'],
      textSize: 'large',
    })
  })

  it('falls back field by field, and as a whole, whatever is stored', () => {
    const damaged: AppState = { ...initialApp('h5'), channelCode: 'kept' }
    const data = {
      channelCode: 'kept',
      popupState: [1],
      reportTipKeys: 'x',
      platform: 'nokia',
      textSize: 3,
      bd_vid: {},
    }
    expect(readApp(fakeStorage(stored(APP_KEY, data)), 'h5')).toEqual(damaged)
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.json(),
          fc.json().map((j) => `{"version":1,"data":${j}}`),
        ),
        (text) => {
          const storage = fakeStorage({ [SESSION_KEY]: text, [APP_KEY]: text })
          expect(typeof readSession(storage).newUser).toBe('boolean')
          expect(Array.isArray(readApp(storage, 'h5').reportTipKeys)).toBe(true)
        },
      ),
    )
  })

  it('does not show a stored user whose shape is not ours', () => {
    const data = { token: 't', userId: 'u1', userInfo: { ...userInfo, realName: null } }
    expect(readSession(fakeStorage(stored(SESSION_KEY, data)))).toEqual({ token: 't', userId: 'u1', newUser: false })
  })

  it('reads data of a newer version, as after a roll-back, field by field; data without a version of ours is discarded', () => {
    const read = (version: number) =>
      readApp(fakeStorage(stored(APP_KEY, { channelCode: 'c' }, version)), 'h5').channelCode
    expect([9, 1, 0, 1.5].map(read)).toEqual(['c', 'c', undefined, undefined])
  })
})

it('the first load after a login brings the text size of the account, unless it has chosen none', () => {
  startSession(fakeStorage())
  const load = (fontScale: number) =>
    dispatch({
      type: 'userInfoLoaded',
      userInfo: { ...userInfo, settings: { ...userInfo.settings, fontScale, reduceMotion: false } },
    })
  dispatch({ type: 'displayChosen', textSize: 'large' })
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  load(1)
  expect(appState().textSize).toBe('large')
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  load(1.3)
  expect(appState().textSize).toBe('huge')
  // later loads may be older than what was chosen here since
  dispatch({ type: 'displayChosen', textSize: 'normal' })
  load(1.3)
  expect(appState().textSize).toBe('normal')
})
