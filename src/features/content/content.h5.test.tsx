import type { ArticleCard, GameItem } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { box, find, shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { GuidelinesScreen } from './GuidelinesScreen'
import { HelpScreen } from './HelpScreen'
import { NewsDetailScreen } from './NewsDetailScreen'
import { NewsScreen } from './NewsScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

// jsdom has none; Taro's pictures look for one
Object.assign(globalThis, {
  IntersectionObserver: class {
    observe() {}
    unobserve() {}
    disconnect() {}
  },
})

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
})

const card = (id: string, over: Partial<ArticleCard> = {}): ArticleCard => ({
  id,
  type: 'NEWS',
  title: `标题${id}`,
  cover: '/content/pictures/a.webp',
  views: 0,
  publishAt: Date.UTC(2025, 10, 20),
  ...over,
})
const pageOf = (list: ArticleCard[]) => ({ list, total: list.length, pageNo: 1, pageSize: 10 })

it('lists one kind at a time; each kind may be empty or fail on its own', async () => {
  let broken = true
  fakeServer({
    app: {
      informationPage: ({ type }) => {
        if (type === 'NEWS') return pageOf([])
        if (broken) throw new Refused(502, 'INTERNAL_ERROR')
        return pageOf([card('a', { type, views: 7 })])
      },
    },
  })
  await openPage(page('news', NewsScreen), '/pagesA/pages/home/news/index')
  await untilShown('这里还没有内容')
  await tap('攻略')
  await untilShown('点击重试')
  broken = false
  await until(() => {
    find('点击重试')?.click()
    return shown().includes('标题a')
  }, 'the list')
  expect(shown()).toContain('2025年11月20日 · 7 次阅读')
  await tap('标题a')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pagesA/pages/home/news/detail?id=a'])
})

it('shows an article with its title in the bar, and what to read next', async () => {
  fakeServer({
    app: {
      informationDetail: ({ id }) => ({
        ...card(id),
        html: '<p class="doc-p">正文</p>',
        related: [card('b')],
      }),
    },
  })
  await openPage(page('newsDetail', NewsDetailScreen), '/pagesA/pages/home/news/detail', { id: 'a' })
  await untilShown('正文')
  expect(document.title).toBe('标题a')
  await tap('标题b')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pagesA/pages/home/news/detail?id=b'])
})

it('finds help by words, opens one answer at a time, takes a vote, and leads to a person', async () => {
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
  const answer = (text: string) => `<p class="doc-p">${text}</p>`
  const { seen } = fakeServer({
    app: {
      helpCenter: () => [
        {
          title: '估价',
          items: [
            { id: 'q1', question: '要多久', answer: answer('一分钟') },
            { id: 'q2', question: '准吗', answer: answer('看公示') },
          ],
        },
      ],
      countHit: () => ({ n: 1 }),
    },
  })
  await openPage(page('helpCenter', HelpScreen), '/pagesA/pages/home/helpCenter/index')
  await untilShown('要多久')
  await tap('要多久')
  // rich text draws itself a moment after the page
  await untilShown('一分钟')
  await tap('准吗')
  await untilShown('看公示')
  expect(shown()).not.toContain('一分钟')
  await tap('没帮助')
  await untilShown('谢谢')
  expect(seen.at(-1)).toMatchObject({ call: 'app.countHit', req: { key: 'HELP_NO', bizId: 'q2' } })
  await untilBox('搜索问题')
  await type('搜索问题', '没有的词')
  await untilShown('没有找到相关问题')
  expect(box('搜索问题').value).toBe('没有的词')
  await tap('联系客服')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/chat/index'])
})

describe('places to put an account up for sale', () => {
  const url = 'https://own.example/sell?g=hok'
  const link = { channel: 'own', name: '某平台', url, note: '第三方平台' }
  const item = (gameId: string, name: string) => ({ gameId, name }) as GameItem
  const open = (params: Record<string, string>) => {
    const { seen } = fakeServer({
      app: {
        documentGet: () => ({ title: '上架指南', version: '1.0', updatedAt: 0, html: '<p>五步</p>' }),
        countHit: () => ({ n: 1 }),
      },
      evaluation: { gameList: () => [item('hok', '王者荣耀'), item('ys', '原神')] },
      user: { channelLinks: ({ gameId }) => (gameId === 'hok' ? [link] : []) },
    })
    const opened = openPage(
      page('listingGuidelines', GuidelinesScreen),
      '/pagesA/pages/home/listingGuidelines/index',
      params,
    )
    return { seen, opened }
  }

  it('are linked by game, marked as external, and counted', async () => {
    dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
    const { seen, opened } = open({ gameId: 'hok', reportNo: 'GZ1' })
    await opened
    await untilShown('某平台')
    expect(shown()).toContain('以下都是第三方平台')
    const asked = () => seen.filter(({ call }) => call === 'user.channelLinks').map(({ req }) => req)
    expect(asked()).toEqual([{ gameId: 'hok', reportNo: 'GZ1' }])
    // the report is of the other game
    await tap('原神')
    await untilShown('暂时没有可以推荐的平台')
    expect(asked()[1]).toEqual({ gameId: 'ys' })
    await tap('王者荣耀')
    await untilShown('某平台')
    await tap('某平台')
    await until(() => navigations.length > 0, 'a move')
    const to = new URLSearchParams({ url, title: '某平台' }).toString().replace(/\+/g, '%20')
    expect(navigations).toEqual([`push /pages/home/webview/index?${to}`])
    expect(seen.at(-1)).toMatchObject({ call: 'app.countHit', req: { key: 'CHANNEL_OUT', bizId: 'own' } })
  })

  it('need a login, and make no request before it', async () => {
    const { seen, opened } = open({})
    await opened
    await untilShown('登录后按游戏查看')
    expect(seen.map(({ call }) => call)).toEqual(['app.documentGet'])
    await tap('登录后按游戏查看')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations[0]).toContain('push /pagesA/pages/login/h5/index?redirect=')
  })
})

it('pulling down on the market asks again and ends', async () => {
  const market = { weeks: [], rises: [], falls: [], sold30: 0, syntheticShare: 0 }
  const server = fakeServer({
    evaluation: { hotGame: () => [{ gameId: 'hok', name: '王者荣耀' } as GameItem] },
    market: { game: () => market as never },
  })
  const opened = await openPage(page('news', NewsScreen), '/pagesA/pages/home/news/index', { tab: 'market' })
  const asked = () => server.seen.filter(({ call }) => call === 'market.game').length
  await until(() => asked() === 1, 'the market')
  await opened.pullDown()
  await until(() => navigations.includes('stop pull-down'), 'the end of the pull')
  expect(asked()).toBe(2)
})
