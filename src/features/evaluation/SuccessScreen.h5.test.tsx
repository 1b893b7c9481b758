import type { Order } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { sampleOrder } from '@/samples/order'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { SuccessScreen } from './SuccessScreen'
import { stageOf } from './useOrder'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const order = (status: Order['status'], actions: Order['actions'] = []) =>
  sampleOrder({ status, statusText: '', actions })

async function open(getInfo: () => Order, manual = false) {
  const openPayStatus = () => ({ pay: 'NORMAL' as const, help: false, ad: false, manual })
  const server = fakeServer({ pay: { getInfo }, app: { openPayStatus } })
  const path = '/pages/evaluation/fillInInfo/success'
  await openPage(page('evaluationFillInInfoSuccess', SuccessScreen), path, { orderId: 'o1' })
  return server
}

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('waits while the valuation runs, then opens the report on its own', async () => {
  let asked = 0
  const server = await open(() => {
    asked++
    return asked === 1 ? { ...order('PROCESSING'), estSeconds: 40 } : order('REPORTED', ['VIEW'])
  })
  await untilShown('约 40 秒出报告，完成后自动打开')
  expect(shown()).toContain(order('PROCESSING').orderNo)
  expect(navigations).toEqual([])
  await untilShown('报告已出')
  expect(server.seen.filter(({ call }) => call === 'pay.getInfo')).toHaveLength(2)
  await until(() => navigations.length > 0, 'the report')
  expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
})

it('says honestly when there are too few comparables, and what can be done', async () => {
  await open(() => order('INSUFFICIENT', ['REVALUE']))
  await untilShown('可比样本不足')
  expect(shown()).toContain('不占用免费次数')
  await tap('估其他游戏')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/chooseGame'])
})

it('offers a person where the human service takes orders', async () => {
  await open(() => order('INSUFFICIENT', ['REVALUE']), true)
  await untilShown('改用人工估价')
  await tap('改用人工估价')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'])
})

it('an order that is not there, or another user’s, says so in words and leads to the records', async () => {
  await open(() => {
    throw new Refused(404, 'NOT_FOUND', '没有找到相关内容')
  })
  await untilShown('没有找到这个订单')
  await tap('查看估价记录')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pagesA/pages/mine/evaluation/records'])
})

it('an order that waits for a collection says so, and opens the report once it is done', async () => {
  let asked = 0
  await open(() => {
    asked++
    return asked === 1 ? order('WAIT_AUTH', ['RETRY_AUTH', 'CANCEL']) : order('REPORTED', ['VIEW'])
  })
  await untilShown('读取完成后自动估价')
  expect(shown()).toContain('授权读取')
  await until(() => navigations.length > 0, 'the report')
  expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o1'])
})

it('a valuation that failed costs nothing and is tried again; one that was given up is not a failure', async () => {
  await open(() => order('FAILED', ['REVALUE']))
  await untilShown('不占用免费次数')
  await tap('重新填写')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
  await open(() => ({ ...order('CANCELED', ['REVALUE']), statusText: '已取消' }))
  await untilShown('已取消')
  expect(shown()).not.toContain('本次未能估价')
})

it('shows the status of an order', () => {
  expect(stageOf(order('UNLOCKED', ['VIEW']))).toBe('ready')
  expect(stageOf(order('WAIT_AUTH'))).toBe('reading')
  expect(stageOf(order('FAILED'))).toBe('failed')
  expect(stageOf(order('CLOSED'))).toBe('ended')
})
