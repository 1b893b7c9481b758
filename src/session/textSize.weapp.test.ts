import { fakeStorage } from '@/platform/storage/fake'
import { APP_KEY } from './persist'
import { appState, dispatch, startSession } from './store'

const host = (fontSizeSetting: number | undefined) =>
  Object.assign(wx, { canIUse: () => fontSizeSetting !== undefined, getAppBaseInfo: () => ({ fontSizeSetting }) })

it.each([
  ['is too old to tell it', undefined, 'normal'],
  ['has the standard of Android', 16, 'normal'],
  ['has the standard of iOS', 17, 'normal'],
  ['has a larger one', 19, 'large'],
  ['has a much larger one', 22, 'huge'],
  ['has the largest one', 32, 'double'],
])('the text size is the host’s by default: it %s', (_what, px, size) => {
  host(px)
  startSession(fakeStorage())
  expect(appState().textSize).toBe(size)
})

it('follows the host until the user chooses a size', () => {
  const storage = fakeStorage()
  host(22)
  startSession(storage)
  dispatch({ type: 'navigated', from: '/pages/mine/index' })
  expect(storage.get(APP_KEY)).toContain('/pages/mine/index')
  host(19)
  startSession(storage)
  expect(appState().textSize).toBe('large')
  dispatch({ type: 'displayChosen', textSize: 'normal' })
  host(22)
  startSession(storage)
  expect(appState().textSize).toBe('normal')
})
