import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { routes } from '@/router/routes'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { box, shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { copy } from './copy'
import { RealNameScreen } from './RealNameScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const CONSENT = `${copy.realName.consentLead}${copy.realName.privacy}`
const redirect = '/pages/evaluation/human/checkout?orderId=o1'
const Page = page('mineRealName', RealNameScreen)

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  startSession(storage)
  dispatch({ type: 'loggedIn', token: 't', userId: 'u', newUser: false })
})

async function open(realNameAuth: (req: unknown) => { status: 'PASSED' }) {
  const server = fakeServer({ user: { realNameAuth } })
  await openPage(Page, `/${routes.mineRealName.path}`, { redirect: encodeURIComponent(redirect) })
  await untilBox('姓名')
  return server
}

it('shows each issue at its field, keeps the typed text, and sends nothing without the consent', async () => {
  const server = await open(() => ({ status: 'PASSED' }))
  await type('姓名', 'Bob')
  await type('身份证号', '110105194912310021')
  await tap('提交认证')
  await untilShown('请输入身份证上的姓名')
  expect(shown()).toContain('身份证号有误，请检查')
  expect([box('姓名').value, box('身份证号').value]).toEqual(['Bob', '110105194912310021'])
  await type('姓名', '张三')
  await type('身份证号', '11010519491231002x')
  await tap('提交认证')
  await untilShown('请先勾选同意')
  expect(server.seen.map(({ call }) => call)).not.toContain('user.realNameAuth')
})

it.each(['PASSED', 'PENDING'] as const)('%s shows the result instead of an empty form', async (status) => {
  fakeServer({ user: { get: () => ({ realName: { status } }) as never } })
  await openPage(Page, `/${routes.mineRealName.path}`, { redirect: encodeURIComponent(redirect) })
  await until(() => navigations.length > 0, 'the result')
  expect(navigations[0]).toContain(`replace /${routes.mineRealNameResult.path}`)
})

it.each([
  ['passed', () => ({ status: 'PASSED' as const })],
  [
    'not matching',
    () => {
      throw new Refused(200, 'REALNAME_MISMATCH', '姓名与身份证号不一致，请核对')
    },
  ],
])('%s: goes to the result with the way back', async (_what, answer) => {
  const server = await open(answer)
  await type('姓名', ' 张三')
  await type('身份证号', '1101 0519 4912 3100 2x')
  await tap(CONSENT)
  await tap('提交认证')
  await until(() => navigations.length > 0, 'the result page')
  expect(navigations.at(-1)).toBe(`replace /${routes.mineRealNameResult.path}?redirect=${encodeURIComponent(redirect)}`)
  expect(server.seen.at(-1)?.req).toEqual({ name: '张三', idNo: '11010519491231002X', consent: true })
})

it('a failure that is not a result stays on the form', async () => {
  await open(() => {
    throw new Refused(503, 'SERVICE_UNAVAILABLE', '实名认证服务尚未开通，请稍后再试')
  })
  await type('姓名', '张三')
  await type('身份证号', '11010519491231002X')
  await tap(CONSENT)
  await tap('提交认证')
  await until(() => !shown().includes('认证中'), 'the answer')
  expect(navigations).toEqual([])
  expect(box('姓名').value).toBe('张三')
})
