import { page } from '@/router/page'
import { sharedReport, unlockedReport } from '@/samples/report'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { open, setUpReport } from '../../../test/fakes/report'
import { find, shown, tap, until, untilShown } from '../../../test/fakes/screen'
import { act, openPage } from '../../../test/fakes/taro'
import { ReportScreen } from './ReportScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpReport()

it('spec §1: is shared as an invitation, by its share token and never by its order', async () => {
  const og = (key: string) => document.querySelector(`meta[property="og:${key}"]`)?.getAttribute('content')
  // the page that opens without a login
  const path = '/pages/evaluation/report/wxIframe?reportNo=R20261121TEST01&shareToken=s1'
  const card = 'http://localhost/share.png'
  const { opened } = await open(() => ({ ...unlockedReport, reportNo: 'R20261121TEST01', shareToken: 's1' }))
  await untilShown('相加即估价')
  expect(document.title).toBe('估价报告')
  expect([og('title'), og('description')]).toEqual(['邀请您查看估价报告', unlockedReport.title])
  expect([og('image'), og('url')]).toEqual([card, `http://localhost${path}`])
  expect(opened.share()).toEqual({ title: '邀请您查看估价报告', path, imageUrl: card })
  expect(opened.shareMoment()).toBeUndefined()

  // withdrawn by the appraiser, so not shared any more
  const without = await open(() => ({ ...unlockedReport, status: 'REVOKED', shareToken: undefined }))
  await untilShown('相加即估价')
  expect([og('title'), og('url')]).toEqual(['邀请您查看估价报告', undefined])
  expect(without.opened.share()).toEqual({
    title: '游戏账号估价专家',
    path: '/pages/home/index',
    imageUrl: 'http://localhost/share.png',
  })
})

describe('sharing', () => {
  it('is off until the owner asks for it, and can be withdrawn', async () => {
    const asked: unknown[] = []
    const image = 'https://cdn.example/card.png'
    const words = { title: '邀请您查看估价报告', desc: '', image, url: '' }
    fakeServer({
      evaluation: {
        reportGet: () => unlockedReport,
        reportImageShare: (req) => {
          asked.push(req)
          return req.withdraw ? words : { ...words, shareToken: 's1' }
        },
      },
    })
    const opened = await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
    await untilShown('相加即估价')
    await tap('分享')
    await untilShown('看不到昵称、手机号、备注名、截图、估价师的说明和其他报告')
    expect(shown()).toContain('拿到链接的人能看到价格')
    expect(asked).toEqual([])
    await tap('生成分享链接')
    await untilShown('复制分享链接')
    const path = `/pages/evaluation/report/wxIframe?reportNo=${unlockedReport.reportNo}&shareToken=s1`
    // the picture is the call's own, in the card of a chat as in the address others open
    expect(opened.share()).toMatchObject({ path, imageUrl: image })
    expect(document.querySelector('meta[property="og:image"]')?.getAttribute('content')).toBe(image)
    await tap('撤回分享')
    await until(() => document.querySelector('.pf-layer') !== null, 'the question')
    await tap('撤回')
    await untilShown('之前发出的链接已失效')
    expect(opened.share()).toMatchObject({ path: '/pages/home/index' })
    expect(asked).toEqual([{ orderId: 'o1' }, { orderId: 'o1', withdraw: 'true' }])
  })

  it('from the host’s menu makes the link on the spot, and falls back to the product when that fails', async () => {
    const home = { title: '游戏账号估价专家', path: '/pages/home/index', imageUrl: 'http://localhost/share.png' }
    const image = 'https://cdn.example/card.png'
    let broken = true
    fakeServer({
      evaluation: {
        reportGet: () => ({ ...unlockedReport, shareToken: undefined }),
        reportImageShare: () => {
          if (broken) throw new Refused(500, 'INTERNAL_ERROR', '出错了')
          return { title: '', desc: '', image, url: '', shareToken: 's1' }
        },
      },
    })
    const opened = await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
    await untilShown('相加即估价')
    const promised = () => {
      const data = opened.share()
      return data instanceof Object && 'promise' in data ? data.promise : undefined
    }
    expect(opened.share()).toEqual({ ...home, promise: expect.any(Promise) })
    expect(await promised()).toEqual(home)
    broken = false
    const path = `/pages/evaluation/report/wxIframe?reportNo=${unlockedReport.reportNo}&shareToken=s1`
    const made = { title: '邀请您查看估价报告', path, imageUrl: image }
    let shared: unknown
    await act(async () => {
      shared = await promised()
    })
    expect(shared).toEqual(made)
    expect(opened.share()).toEqual(made)
  })

  it('goes out by the phone’s own sheet where there is one, else as a link to paste', async () => {
    const url = `http://localhost/pages/evaluation/report/wxIframe?reportNo=${unlockedReport.reportNo}&shareToken=s1`
    const [share, writeText] = [
      jest.fn().mockRejectedValue(new Error('closed')),
      jest.fn().mockResolvedValue(undefined),
    ]
    Object.assign(navigator, { share })
    Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
    for (const way of ['发给好友', '复制分享链接']) {
      const { opened } = await open(() => ({ ...unlockedReport, shareToken: 's1' }))
      await untilShown('相加即估价')
      await tap('分享')
      await untilShown(way)
      await tap(way)
      await opened.unload()
      Object.assign(navigator, { share: undefined })
    }
    const [title, text] = [
      '邀请您查看估价报告',
      `${unlockedReport.title} 的参考价格、区间和依据，打开就能看，不用登录。`,
    ]
    expect(share.mock.calls).toEqual([[{ title, text, url }]])
    expect(writeText.mock.calls).toEqual([[`${title}\n${text}\n${url}`]])
  })

  it('a friend reads it and may value an own account; nothing of the owner’s is offered', async () => {
    await open(() => ({ ...sharedReport, status: 'LOCKED' }), true)
    await untilShown('好友分享的报告')
    for (const own of ['解锁完整报告', '估价记录', '分享', '排除成交 ¥2,180', '备注名'])
      expect(find(own)).toBeUndefined()
    await tap('免费估我的号')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['push /pages/evaluation/chooseGame'])
  })

  it('a withdrawn report says so and offers a next step', async () => {
    await open(() => {
      throw new Refused(200, 'SHARE_REVOKED', '该分享已撤回')
    })
    await untilShown('对方已不再分享这份报告')
    await tap('免费估我的号')
    await until(() => navigations.length > 0, 'a move')
    expect(navigations).toEqual(['replace /pages/evaluation/chooseGame'])
  })
})
