import type { OpenPayStatus } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { IosAppScreen } from './IosAppScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  dispatch({ type: 'launched', platform: 'ios' })
})

const status = (pay: OpenPayStatus['pay']): OpenPayStatus => ({ pay, help: false, ad: false, manual: pay !== 'OFF' })

async function open(answer: () => OpenPayStatus) {
  const { seen } = fakeServer({ app: { openPayStatus: answer } })
  await openPage(page('iosApp', IosAppScreen), '/pagesA/pages/iosApp/index')
  return seen
}
const leadsTo = async (text: string) => {
  navigations.length = 0
  await tap(text)
  await until(() => navigations.length > 0, 'a move')
  return navigations
}

it('shows no payment wording while nothing is for sale in the iOS app, and is never blank', async () => {
  const seen = await open(() => status('OFF'))
  await untilShown('由于相关规范')
  expect(seen[0]).toMatchObject({ call: 'app.openPayStatus', req: { platform: 'ios' } })
  expect(shown()).not.toMatch(/¥|元|免费|价格 |购买|支付|付费|优惠|领券|人工估价|下单/)
  expect(await leadsTo('AI 估价')).toEqual(['push /pages/evaluation/chooseGame?mode=AI'])
  expect(await leadsTo('我的报告')).toEqual(['push /pagesA/pages/mine/evaluation/records?tab=DONE'])
  expect(await leadsTo('联系客服')).toEqual(['push /pages/chat/index'])
})

it('offers the human service and coupons where they may be sold', async () => {
  await open(() => status('NORMAL'))
  await untilShown('人工估价')
  expect(shown()).toContain('领券中心')
  expect(shown()).not.toContain('由于相关规范')
  expect(await leadsTo('人工估价')).toEqual(['push /pages/evaluation/chooseGame?mode=MANUAL'])
})

it('is rendered without an answer of the server', async () => {
  await open(() => {
    throw new Refused(502, 'INTERNAL_ERROR')
  })
  await untilShown('AI 估价')
  await untilShown('联系客服')
  expect(shown()).not.toMatch(/人工估价|领券/)
})
