import { storage } from '@/platform/storage'
import { page } from '@/router/page'
import { setTabParams } from '@/router/tabParams'
import { drafts } from '@/session/drafts'
import { mergeIntoDraft } from '@/session/draftTransfers'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { shown, tap, type, until, untilBox, untilShown } from '../../../test/fakes/screen'
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
  status: 'ONLINE' as 'ONLINE' | 'MAINTAIN',
}
const ys = { ...hok, gameId: 'ys', name: '原神' }
const quick = {
  schemaVersion: 3,
  questions: [
    {
      key: 'glory',
      label: '荣耀典藏（款）',
      options: [
        { t: '没有', answer: 0 },
        { t: '2–3', answer: 2 },
      ],
    },
    { key: 'server', label: '区服', options: ['安卓QQ', '苹果微信'].map((t) => ({ t, answer: t })) },
  ],
}
const widths = [100_000, 60_000, 20_000]

function serve(over: { linkVerify?: () => { gameId: string; parsed: object }; status?: 'MAINTAIN' } = {}) {
  const status = over.status ?? 'ONLINE'
  return fakeServer({
    evaluation: {
      gameList: () => [hok, ys],
      gameDetail: ({ gameId }) => ({
        ...{ ...(gameId === 'ys' ? ys : hok), status, estSeconds: 3, readList: [] },
        ...(gameId === 'hok' && { quick }),
      }),
      linkVerify: () => ({ ok: true, missing: [], ...over.linkVerify?.() }) as never,
    },
    pricePreview: {
      preview: ({ answers }) => {
        const n = Object.keys(answers).length
        const width = widths[n] ?? 0
        return { lowFen: 200_000 - width, highFen: 200_000 + width, answered: n, asked: 9 }
      },
    },
  })
}
const open = (query = {}) => openPage(page('evaluation', EvaluationScreen), '/pages/evaluation/index', query)

beforeEach(() => {
  localStorage.clear()
  navigations.length = 0
  startSession(storage)
})

it('shows a visitor a range that narrows with each answer, and keeps the answers for the form behind the login', async () => {
  const server = serve()
  await open()
  await untilShown('¥1,000–3,000')
  expect(shown()).toContain('再答 2 题')
  await tap('2–3')
  await untilShown('¥1,400–2,600')
  await tap('苹果微信')
  await untilShown('¥1,800–2,200')
  expect(shown()).toContain('其余按常见水平计')
  const asked = server.seen.filter(({ call }) => call === 'pricePreview.preview').map(({ req }) => req)
  expect(asked.at(-1)).toEqual({ gameId: 'hok', schemaVersion: 3, answers: { glory: 2, server: '苹果微信' } })
  await tap('填完整，估得更准')
  const back = encodeURIComponent('/pages/evaluation/fillInInfo/index?gameId=hok&mode=AI')
  expect(navigations).toEqual([`push /pagesA/pages/login/h5/index?redirect=${back}`])
  // who logs in takes them over
  const draft = drafts.load('u1', 'hok', 'AI')
  expect(draft?.answers).toEqual({ glory: 2, server: '苹果微信' })
  expect(draft?.filled.glory).toEqual({ from: 'QUICK', answer: 2 })
})

it('begins with the game of the link, else with the last one; a game without a model leads to its form', async () => {
  rememberGame('ys')
  serve()
  await open()
  await untilShown('填写账号信息，马上出价')
  await tap('填完整，估得更准')
  expect(navigations.at(-1)).toContain(encodeURIComponent('gameId=ys'))
  await act(() => setTabParams('evaluation', { gameId: 'hok' }))
  await untilShown('荣耀典藏（款）')
  await tap('原神')
  await until(() => !shown().includes('荣耀典藏'), 'the other game')
})

it('a game in maintenance says so and asks nothing', async () => {
  serve({ status: 'MAINTAIN' })
  await open()
  await untilShown('王者荣耀正在维护')
  expect(shown()).not.toContain('填完整')
})

describe('a pasted listing', () => {
  beforeEach(() => dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false }))

  async function paste(text: string) {
    await tap('粘贴文字')
    await untilBox('商品描述或分享文字')
    await type('商品描述或分享文字', text)
    await tap('识别并填写')
  }

  it('is enough: it names the game and fills its form, and what was typed there stays', async () => {
    mergeIntoDraft('u1', { gameId: 'hok', gameName: '王者荣耀', mode: 'AI', answers: { heroCount: 99 }, from: 'LAST' })
    const server = serve({ linkVerify: () => ({ gameId: 'hok', parsed: { heroCount: 10, skinCount: 260 } }) })
    await open()
    await untilShown('王者荣耀')
    await paste('王者荣耀 皮肤260\u0000\n英雄10')
    await until(() => navigations.length > 0, 'the form')
    expect(navigations).toEqual(['push /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
    expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual({ heroCount: 99, skinCount: 260 })
    const asked = server.seen.find(({ call }) => call === 'evaluation.linkVerify')
    expect(asked?.req).toEqual({ text: '王者荣耀 皮肤260\n英雄10' })
  })

  it('that names no game says so and is kept', async () => {
    serve({
      linkVerify: () => {
        throw new Refused(200, 'LINK_UNSUPPORTED', '没有认出是哪个游戏')
      },
    })
    await open()
    await untilShown('王者荣耀')
    await paste('皮肤260')
    await untilShown('没有认出是哪个游戏')
    expect(navigations).toEqual([])
  })
})
