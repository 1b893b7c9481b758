import type { UserInfo } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, dispatch, startSession } from '@/session/store'
import { fakeServer } from '../../test/fakes/api'
import { until } from '../../test/fakes/screen'
import { syncDisplay } from './display'

const plain = { pushReport: true, pushActivity: false, showAsExample: false, fontScale: 1, reduceMotion: false }

/** An account with what it has chosen elsewhere. */
function account(chosen: Partial<UserInfo['settings']> = {}) {
  const settings = { ...plain, personalised: false, ...chosen }
  return fakeServer({
    user: {
      get: () => ({ userId: 'u1', nickname: '玩家', avatar: '', settings }) as UserInfo,
      updateSettings: (change) => ({ ...settings, ...change }) as UserInfo['settings'],
    },
  })
}
const updates = (seen: readonly { call: string; req: unknown }[]) =>
  seen.filter(({ call }) => call === 'user.updateSettings').map(({ req }) => req)
const signIn = () => dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })

let stop: () => void
const startSync = () => {
  stop = syncDisplay()
}
beforeEach(() => {
  startSession(fakeStorage())
})
afterEach(() => stop())

it('display settings of another device apply after login; changes here are sent to the account', async () => {
  startSync()
  const { seen } = account({ fontScale: 1.3, reduceMotion: true })
  signIn()
  await until(() => appState().textSize === 'huge', 'the size')
  expect(appState().reduceMotion).toBe(true)
  expect(updates(seen)).toEqual([])
  dispatch({ type: 'displayChosen', textSize: 'large' })
  await until(() => updates(seen).length > 0, 'the choice')
  expect(updates(seen)).toEqual([{ fontScale: 1.15, reduceMotion: true }])
})

it('without settings in the account this device’s are kept and sent; another user’s are not', async () => {
  startSync()
  const { seen } = account()
  dispatch({ type: 'displayChosen', textSize: 'huge' })
  expect(seen).toEqual([])
  signIn()
  await until(() => updates(seen).length > 0, 'the choice')
  expect(updates(seen)[0]).toEqual({ fontScale: 1.3, reduceMotion: false })
  expect(appState().textSize).toBe('huge')
})

describe('starting while logged in', () => {
  const load = (fontScale: number) => {
    const settings = { ...plain, personalised: false, fontScale }
    dispatch({ type: 'userInfoLoaded', userInfo: { userId: 'u1', nickname: '玩家', avatar: '', settings } as UserInfo })
  }
  beforeEach(signIn)

  it('makes no request; the first load of the user brings the account’s settings and sends nothing', async () => {
    const { seen } = account()
    startSync()
    load(1.3)
    expect(appState().textSize).toBe('huge')
    // later loads may be older than what was chosen here since
    dispatch({ type: 'displayChosen', textSize: 'large' })
    load(1.3)
    expect(appState().textSize).toBe('large')
    await until(() => updates(seen).length > 0, 'the choice')
    expect(seen.map(({ call }) => call)).toEqual(['user.updateSettings'])
  })

  it('a choice made here before the load is kept', () => {
    account()
    startSync()
    dispatch({ type: 'displayChosen', textSize: 'large' })
    load(1.3)
    expect(appState().textSize).toBe('large')
  })

  it('without settings in the account this device’s are kept', () => {
    const { seen } = account()
    dispatch({ type: 'displayChosen', textSize: 'huge' })
    startSync()
    load(1)
    expect([appState().textSize, seen]).toEqual(['huge', []])
  })
})
