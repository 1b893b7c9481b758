import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { startSession, store } from '@/session/store'
import { fakeServer } from '../../../test/fakes/api'
import { tap, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { LoginWxScreen } from './LoginWxScreen'
import { agreementCheckedAtom } from './useAgreement'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

it('asks WeChat for no code before the user has agreed, and offers the linked account afterwards', async () => {
  const codes = jest.fn(({ success }: WxCall) => success({ code: 'c1' }))
  Object.assign(wx, { login: codes })
  startSession(fakeStorage())
  store.set(agreementCheckedAtom, false)
  const { seen } = fakeServer({
    user: { queryWeixinMiniAppBind: () => ({ bound: true, userId: 'u1', mobileMasked: '138****8000' }) },
  })
  await openPage(page('loginWx', LoginWxScreen), '/pagesA/pages/login/wx/index', {})
  await untilShown('手机号快捷登录')
  expect([codes.mock.calls.length, seen.length]).toEqual([0, 0])
  await tap('我已阅读并同意')
  await untilShown('138****8000')
  expect(codes).toHaveBeenCalledTimes(1)
})
