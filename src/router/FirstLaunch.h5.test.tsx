import { View } from '@tarojs/components'
import { privacy } from '@/platform/privacy'
import { fakeStorage } from '@/platform/storage/fake'
import { appState, dispatch, hasAgreed, startSession } from '@/session/store'
import { navigations } from '../../test/fakes/navigation'
import { shown, tap, until, untilGone, untilShown } from '../../test/fakes/screen'
import { openPage } from '../../test/fakes/taro'
import { handlePrivacyRequests } from './FirstLaunch'
import { page } from './page'

jest.mock('@tarojs/taro', () => require('../../test/fakes/navigation').fakeTaro())

const QUESTION = '《隐私政策》'
const Screen = () => <View>内容</View>
const open = () => openPage(page('news', Screen), '/pagesA/pages/home/news/index')

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
})

it('is asked with the page, not over it later; agreeing is remembered', async () => {
  await open()
  expect(shown()).toContain('内容')
  expect(shown()).toContain(QUESTION)
  expect(hasAgreed()).toBe(false)
  await tap('《隐私政策》')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pagesA/pages/home/article/index?key=PRIVACY'])
  await tap('同意')
  await untilGone(QUESTION)
  expect([hasAgreed(), appState().isFirstTimeLaunch]).toEqual([true, false])
})

it('who only wants to browse is not asked again, and has not agreed', async () => {
  await open()
  await untilShown(QUESTION)
  await tap('不同意')
  await untilGone(QUESTION)
  expect([hasAgreed(), appState().isFirstTimeLaunch]).toEqual([false, true])
  expect(appState().popupState.privacy).toBeGreaterThan(0)
})

it('asks who declined once more when the host holds something back, and hands the answer on', async () => {
  let ask: () => void = () => undefined
  jest.spyOn(privacy, 'onRequest').mockImplementation((asked) => {
    ask = asked
  })
  const told = jest.spyOn(privacy, 'answer')
  dispatch({ type: 'popupShown', key: 'privacy', at: 1 })
  handlePrivacyRequests()
  await open()
  expect(shown()).not.toContain(QUESTION)
  ask()
  await untilShown('微信要求您先同意隐私政策')
  await tap('暂不使用')
  await untilGone(QUESTION)
  expect(told.mock.calls).toEqual([[false]])
  expect(hasAgreed()).toBe(false)
  ask()
  await untilShown(QUESTION)
  await tap('同意')
  await untilGone(QUESTION)
  expect(hasAgreed()).toBe(true)
})

it('who is logged in has agreed on the way', () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
  expect(hasAgreed()).toBe(true)
})
