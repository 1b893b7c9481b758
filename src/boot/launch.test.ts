import { launch } from '@/platform/launch'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, startSession } from '@/session/store'
import { rememberLaunch } from './launch'

const opened = (query: Record<string, string>) => {
  jest.spyOn(launch, 'query').mockReturnValue(query)
  rememberLaunch()
}

beforeEach(() => void startSession(fakeStorage()))
afterEach(() => jest.restoreAllMocks())

it('remembers the channel of a visit until another one brings its own', () => {
  opened({ channelCode: '%E6%8A%96%E9%9F%B3', bd_vid: 'v1', platform: 'ios' })
  opened({})
  opened({ bd_vid: 'v2' })
  expect(appState()).toMatchObject({ channelCode: '抖音', bd_vid: 'v2', platform: 'ios' })
  opened({ recordId: 'r_1' })
  expect(appState().reportUnlockRecordId).toBe('r_1')
})

it('takes nothing damaged or unknown', () => {
  const before = appState()
  opened({ channelCode: '%E4%', platform: 'toaster', bd_vid: '', recordId: '%E5%9D%8F' })
  expect(appState()).toEqual(before)
})
