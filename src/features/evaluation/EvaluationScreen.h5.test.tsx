import type { Order } from '@/contract/types'
import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { setTabParams } from '@/router/tabParams'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
import { act, openPage } from '../../../test/fakes/taro'
import { EvaluationScreen } from './EvaluationScreen'
import { rememberGame } from './games'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

const hok = {
  gameId: 'hok',
  name: '王者荣耀',
  icon: '',
  letter: 'W',
  hot: true,
  aiMode: 'PUBLIC_ID' as const,
  modes: ['AI' as const, 'MANUAL' as const],
  status: 'ONLINE' as const,
}
const order = (orderId: string, more: Partial<Order>) =>
  ({
    orderId,
    gameId: 'hok',
    gameName: '王者荣耀',
    title: `王者荣耀 ${orderId}`,
    createdAt: Date.UTC(2025, 5, 7),
    actions: [],
    ...more,
  }) as Partial<Order> as Order

async function open(linkVerify: () => { gameId: string; parsed: object }) {
  const list = [order('o1', {}), order('o2', { predictFen: 232300, actions: ['VIEW'] })]
  const server = fakeServer({
    evaluation: {
      gameList: () => [hok],
      linkVerify: () => ({ ok: true, missing: [], ...linkVerify() }) as never,
      orderList: () => ({ list, total: 2, pageNo: 1, pageSize: 10 }),
    },
  })
  await openPage(page('evaluation', EvaluationScreen), '/pages/evaluation/index', {})
  await untilShown('王者荣耀')
  return server
}

it('shows for the game valued last which data is used and which servers are covered', async () => {
  rememberGame('hok')
  fakeServer({
    evaluation: {
      gameList: () => [hok],
      gameDetail: () => ({ ...hok, estSeconds: 3, readList: ['段位与皮肤', '贵族等级'] }),
      gameServer: () => [
        { v: 'aqq', t: '安卓QQ' },
        { v: 'iwx', t: '苹果微信' },
      ],
    },
  })
  await openPage(page('evaluation', EvaluationScreen), '/pages/evaluation/index', {})
  await untilShown('可估区服：安卓QQ、苹果微信')
  for (const text of ['贵族等级', '游戏登录密码']) expect(shown()).toContain(text)
})

async function paste(text: string) {
  await tap('粘贴商品文字估价')
  await untilBox('商品描述或分享文字')
  await type('商品描述或分享文字', text)
  await tap('识别并填写')
}

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  startSession(storage)
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

it('a listing is enough: it names the game and fills its form, and what was typed there stays', async () => {
  mergeIntoDraft('u1', { gameId: 'hok', gameName: '王者荣耀', mode: 'AI', answers: { heroCount: 99 }, from: 'LAST' })
  const server = await open(() => ({ gameId: 'hok', parsed: { heroCount: 10, skinCount: 260 } }))
  await paste('王者荣耀 皮肤260\u0000\n英雄10')
  await until(() => navigations.length > 0, 'the form')
  expect(navigations).toEqual(['push /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
  expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual({ heroCount: 99, skinCount: 260 })
  const asked = server.seen.find(({ call }) => call === 'evaluation.linkVerify')
  expect(asked?.req).toEqual({ text: '王者荣耀 皮肤260\n英雄10' })
})

it('a listing that names no game says so and is kept', async () => {
  await open(() => {
    throw new Refused(200, 'LINK_UNSUPPORTED', '没有认出是哪个游戏')
  })
  await paste('皮肤260')
  await untilShown('没有认出是哪个游戏')
  expect(navigations).toEqual([])
})

it('the newest report with a price is one tap away', async () => {
  await open(() => ({ gameId: 'hok', parsed: {} }))
  await untilShown('王者荣耀 o2')
  expect(find('王者荣耀 o1')).toBeUndefined()
  expect(shown()).toContain('2,323')
  await tap('王者荣耀 o2')
  await until(() => navigations.length > 0, 'the report')
  expect(navigations).toEqual(['push /pages/evaluation/report/index?orderId=o2'])
})

it('粘贴文字 on the home page opens the sheet each time it is tapped, and at no other visit', async () => {
  fakeServer({ evaluation: { gameList: () => [hok] } })
  const visit = (query = {}) => openPage(page('evaluation', EvaluationScreen), '/pages/evaluation/index', query)
  const sheet = () => document.querySelector('[role=dialog]')
  await visit({ paste: '1' })
  await until(() => sheet() !== null, 'the sheet of the link')
  await tap('关闭')
  await until(() => sheet() === null, 'the sheet to close')
  await act(() => setTabParams('evaluation', { mode: 'AI', paste: '1' }))
  await until(() => sheet() !== null, 'the sheet again')
  await visit()
  await untilShown('王者荣耀')
  expect(sheet()).toBeNull()
})
