import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { drafts } from '@/session/drafts'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { game } from '../../../test/fakes/games'
import { moves } from '../../../test/fakes/navigation'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { HomeScreen } from './HomeScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

type Handlers = Parameters<typeof fakeServer>[0]
const good = {
  evaluation: { hotGame: () => [game('hok', '王者荣耀'), game('x', '维护游戏', 'MAINTAIN')] },
  app: {
    homeDataCount: () => ({ users: 12, reports: 3456, games: 8 }),
    lastFifteenOrder: () => [{ gameName: '原神', nickMasked: '峡**客', priceFen: 240_000, minutesAgo: 5 }],
    banner: () => [
      { id: '1', title: '今晚维护', image: '', link: '', linkType: 'NONE' as const },
      {
        id: '2',
        title: '防骗',
        image: 'data:,',
        link: '/pagesA/pages/home/news/detail?id=x',
        linkType: 'PAGE' as const,
      },
    ],
    excellentReportList: () => ({ list: [], total: 0, pageNo: 1, pageSize: 3 }),
    informationPage: () => ({ list: [], total: 0, pageNo: 1, pageSize: 3 }),
    openPayStatus: () => ({ pay: 'OFF', help: false, ad: false, manual: false }),
  },
} satisfies Handlers

async function open(handlers: Handlers = good) {
  const server = fakeServer(handlers)
  const p = await openPage(page('home', HomeScreen), '/pages/home/index')
  await untilShown('热门游戏')
  return { server, p }
}

beforeEach(() => {
  localStorage.clear()
  moves.length = 0
  startSession(storage)
})

it('shows what the server knows, and what is not open yet as such', async () => {
  await open()
  await untilShown('王者荣耀')
  await untilShown('3,456')
  for (const text of ['3,456', '¥2,400', '峡**客 · 5分钟前', '人工估价', '¥19.90 起', '即将开放'])
    expect(shown()).toContain(text)
})

it('each block fails alone and is asked again alone', async () => {
  let broken = true
  const { server } = await open({
    ...good,
    evaluation: {
      hotGame: () => {
        if (broken) throw new Refused(502, 'INTERNAL_ERROR')
        return [game('hok', '王者荣耀')]
      },
    },
  })
  await untilShown('点击重试')
  await untilShown('3,456')
  expect(server.told).toEqual([])
  broken = false
  // a repeat within 300 ms gets the earlier answer again (spec §7)
  while (shown().includes('点击重试')) await tap('服务器无响应点击重试')
  await untilShown('王者荣耀')
  expect(server.seen.filter(({ call }) => call === 'app.homeDataCount')).toHaveLength(1)
})

it('invents no numbers: nothing known, nothing shown', async () => {
  await open({ evaluation: good.evaluation })
  await untilShown('王者荣耀')
  expect(shown()).not.toContain('累计报告')
  expect(shown()).not.toContain('最新估价')
})

it('shows what the staff has put up, and leads to the rest of the house', async () => {
  await open()
  await untilShown('今晚维护')
  await tap('防骗')
  await until(() => moves.length > 0, 'a move')
  expect(moves).toEqual(['push /pagesA/pages/home/news/detail?id=x'])
  await untilShown('上架指南')
  // an empty list is no block
  expect(shown()).not.toContain('攻略与资讯')
})

it('offers to continue the newest unfinished form of who is logged in', async () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  const { p } = await open()
  expect(shown()).not.toContain('您有一份未完成的估价')
  await p.hide()
  const base = {
    schemaVersion: 1,
    answers: { a: 1 },
    labels: {},
    filled: {},
    requestId: 'r',
    done: 8,
    total: 12,
    savedAt: Date.now(),
  }
  drafts.save('u1', { ...base, gameId: 'ys', gameName: '原神', mode: 'AI' })
  await p.show()
  await untilShown('原神 · AI估价 · 已填 8/12')
  await tap('您有一份未完成的估价')
  expect(moves.at(-1)).toBe('push /pages/evaluation/fillInInfo/index?gameId=ys&mode=AI')
})

it('sends a stranger who wants a game to the login, with the way back', async () => {
  await open()
  await untilShown('王者荣耀')
  await tap('王者荣耀')
  const back = encodeURIComponent('/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI')
  expect(moves).toEqual([`push /pagesA/pages/login/h5/index?redirect=${back}`])
})

it('an empty catalogue, a block that hangs and four that fail: the page stands', async () => {
  const fail = () => {
    throw new Refused(502, 'INTERNAL_ERROR')
  }
  const { server } = await open({
    evaluation: { hotGame: () => [] },
    app: {
      banner: () => new Promise<never>(() => undefined),
      openPayStatus: good.app.openPayStatus,
      homeDataCount: fail,
      lastFifteenOrder: fail,
      informationPage: fail,
      excellentReportList: fail,
    },
  })
  await untilShown('暂时没有可估价的游戏')
  await untilShown('估价仅供参考')
  await until(() => shown().split('点击重试').length === 5, 'four blocks that can be asked again')
  for (const text of ['您的游戏账号', 'AI估价', '上架指南', '三步得到估价', '为什么可以放心参考'])
    expect(shown()).toContain(text)
  expect(server.told).toEqual([])
})
