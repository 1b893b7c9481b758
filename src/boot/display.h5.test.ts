import type { UserInfo } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, dispatch, startSession } from '@/session/store'
import { fakeServer } from '../../test/fakes/api'
import { until } from '../../test/fakes/screen'
import { followDisplay } from './display'

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

beforeEach(() => startSession(fakeStorage()))

it('what was chosen on another device holds here after the login; what is chosen here is told', async () => {
  followDisplay()
  const { seen } = account({ fontScale: 1.3, reduceMotion: true })
  signIn()
  await until(() => appState().textSize === 'huge', 'the size')
  expect(appState().calm).toBe(true)
  expect(updates(seen)).toEqual([])
  dispatch({ type: 'displayChosen', textSize: 'large' })
  await until(() => updates(seen).length > 0, 'the choice')
  expect(updates(seen)).toEqual([{ fontScale: 1.15, reduceMotion: true }])
})

it('who has chosen nothing elsewhere keeps what this device has, and it is told; nobody else’s is', async () => {
  followDisplay()
  const { seen } = account()
  dispatch({ type: 'displayChosen', textSize: 'huge' })
  expect(seen).toEqual([])
  signIn()
  await until(() => updates(seen).length > 0, 'the choice')
  expect(updates(seen)[0]).toEqual({ fontScale: 1.3, reduceMotion: false })
  expect(appState().textSize).toBe('huge')
})
