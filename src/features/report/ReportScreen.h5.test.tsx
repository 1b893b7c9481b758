import { DEDUPE_WINDOW } from '@/contract/constants'
import { signedYuan, yuan } from '@/contract/format'
import type { OpenPayStatus, Report } from '@/contract/types'
import { fakeStorage } from '@/platform/storage/fake'
import { page } from '@/router/page'
import {
  expertReport,
  lockedReport,
  manualReport,
  renewedReport,
  revaluedReport,
  sharedReport,
  trend,
  unlockedReport,
} from '@/samples/report'
import { drafts } from '@/session/drafts'
import { dispatch, startSession } from '@/session/store'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { find, shown, tap, type, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { act, openPage } from '../../../test/fakes/taro'
import { listingText } from './listingText'
import { ReportScreen } from './ReportScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

/** Opens a report that the server answers with `report`; `help`: a way to unlock is open. */
async function open(report: () => Report, help = false) {
  const server = fakeServer({
    evaluation: { reportGet: report },
    app: { openPayStatus: () => ({ pay: 'OFF', help, ad: false, manual: false }) },
  })
  const opened = await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  return { ...server, opened }
}

beforeEach(() => {
  navigations.length = 0
  startSession(fakeStorage())
  dispatch({ type: 'loggedIn', token: 't', userId: 'u1', newUser: false })
})

const five = ['rank', 'a', 'b', 'c', 'd']
const sure: NonNullable<Report['confidence']> = {
  ...{ level: 'HIGH', score: 78, reasons: [], doubts: [], sold: 42 },
}

it('shows price, range and why first, whatever is locked', async () => {
  const server = await open(() => lockedReport)
  await untilShown('¥1,930 – ¥2,790')
  for (const text of ['王者荣耀', '安卓微信 · V8', '2,323', '八成同类账号成交在', '可信度高', 'AI 估价'])
    expect(shown()).toContain(text)
  await tap('依据')
  expect(shown()).toContain('可比成交 42 个')
  expect(
    find(
      '参考成交价 ¥2,323；八成成交在 ¥1,930 – ¥2,790 之间；快速出手价 ¥1,980；建议挂牌价 ¥2,560；可比记录（折算到该账号）：已成交 1 个，挂牌 0 个。',
    ),
  ).toBeDefined()
  expect(server.seen[0]?.req).toEqual({ orderId: 'o1' })
})

it('unfilled fields are one tap from the form, which has the other answers; visitors are not offered it', async () => {
  const inputs = { schemaVersion: 1, answers: { level: 30 } }
  const price = { ...unlockedReport.price, assumed: five }
  await open(() => ({ ...unlockedReport, inputs, price }) as Report)
  await untilShown('5 项按常见水平计')
  expect(find('补 5 项看价格')).toBeUndefined()
  await tap('补 5 项可提高 ›')
  expect(drafts.load('u1', 'hok', 'AI')?.answers).toEqual({ level: 30 })
  await until(() => navigations.some((one) => one.includes('field=rank')), 'the form at the question')
  drafts.clear()
  await open(() => ({ ...unlockedReport, price, mine: false }) as Report)
  await untilShown('5 项按常见水平计')
  expect(shown()).not.toContain('可提高')
})

it('where the range is wider than three times no single price is shown, but the way to one', async () => {
  const inputs = { schemaVersion: 1, answers: { level: 30 } }
  const price = { ...unlockedReport.price, lowFen: 90_000, highFen: 320_000, assumed: five }
  await open(() => ({ ...unlockedReport, inputs, price }) as Report)
  await untilShown('¥900 – ¥3,200')
  const card = document.querySelector('.rp-price')?.textContent
  for (const absent of ['2,323', '快速出手', '超过']) expect(card).not.toContain(absent)
  await tap('补 5 项看价格')
  await until(() => navigations.some((one) => one.includes('field=rank')), 'the form at the question')
  drafts.clear()
})

it('beyond all sales the upper end is open, and an appraiser is one tap away', async () => {
  const inputs = { schemaVersion: 1, answers: { level: 30 } }
  const price = { ...unlockedReport.price, openEnded: true }
  await open(() => ({ ...unlockedReport, inputs, price }) as Report)
  await untilShown('超出已有成交，至少 ¥2,323')
  await tap('请估价师看看')
  await until(() => navigations.some((one) => one.includes('mode=MANUAL')), 'the form of the human valuation')
  drafts.clear()
})

it.each([
  [50, '比参考价高 50%高于区间，可能要等或降价'],
  [-8, '比参考价低 8%在区间内'],
  [-50, '比参考价低 50%低于区间，可以标高些'],
  [0, '与参考价相同'],
])('says how the asking price of the pasted listing compares: %d %%', async (percent, words) => {
  const price = { ...unlockedReport.price, lowFen: 30_000, predictFen: 40_000, highFen: 50_000 }
  const fen = 400 * (100 + percent)
  await open(() => ({ ...unlockedReport, price, asking: { fen, overPrice: percent / 100 } }) as Report)
  await untilShown(`您的标价 ¥${fen / 100}，${words}`)
})

it('a report unlocked on the page above is shown unlocked on return', async () => {
  let report: Report = lockedReport
  const { opened } = await open(() => report, true)
  await untilShown('解锁完整报告')
  report = unlockedReport
  await opened.hide()
  await opened.show()
  await untilGone('解锁完整报告')
})

it('without an earlier price of the account, the year of its market is below the price', async () => {
  await open(() => ({ ...unlockedReport, history: [], trend }))
  await untilShown('同类一年走势')
  expect(shown()).toContain('比三个月前高 5.3%')
  const [chart] = document.querySelectorAll('.rp-trend__plot')
  expect(chart?.getAttribute('aria-label')).toMatch(/¥2,323$/)
  expect(chart?.querySelectorAll('.rp-trend__dot')).toHaveLength(1)
  // its own prices go first
  await open(() => ({ ...unlockedReport, trend }))
  await untilShown('估价变化')
  expect(shown()).not.toContain('同类一年走势')
  // days in everyday words; the test may run at midnight
  const days = /^(\d{4}年)?\d+月\d+日(今天|昨天)$/
  expect(document.querySelector('.rp-trend__ends')?.textContent).toMatch(days)
})

it('doubts are distinguished by label, mark and colour', async () => {
  const reasons = ['资料前后不一致：各品质皮肤之和超过了皮肤总数，请核对', '可比成交 42 个']
  await open(() => ({
    ...lockedReport,
    confidence: { ...sure, level: 'LOW', score: 49, reasons, doubts: reasons.slice(0, 1) },
  }))
  await untilShown('可信度低')
  await tap('依据')
  const [doubt, ground] = document.querySelectorAll('.rp-reason')
  expect(ground?.textContent).toBe('可比成交 42 个')
  expect(ground?.querySelector('.ui-icon--warning')).toBeNull()
  expect(doubt?.textContent).toContain('资料前后不一致')
  expect(doubt?.querySelector('.ui-icon--warning')?.getAttribute('aria-label')).toBe('需留意')
})

it('a locked report says what it holds back and never shows it', async () => {
  await open(() => lockedReport, true)
  await untilShown('解锁完整报告')
  expect(shown()).toContain('还有 9 项')
  expect(shown()).toContain('明细 11 项 · 可比账号 3 个 · 提升建议 2 条 · 估价变化 2 次 · 风险')
  // the trend and one whole comparable prove the price
  expect(shown()).toContain('同类一年走势')
  expect(document.querySelectorAll('.rp-comp')).toHaveLength(1)
  expect(find('排除成交 ¥2,180')).toBeUndefined()
  expect(shown()).not.toContain('相加即估价')
  expect(shown()).not.toContain('怎样更值钱')
  await tap('解锁完整报告')
  await untilShown('选择一种解锁方式')
  expect(shown()).not.toContain('看广告解锁')
  await tap('邀请好友助力解锁')
  await until(() => navigations.length > 0, 'the invitation')
  expect(navigations).toEqual(['push /pages/evaluation/report/unlock/invite?orderId=o1'])
})

it('a free coupon is announced, and unlocks with one tap: no cashier, no page between', async () => {
  let paid: unknown
  const server = fakeServer({
    evaluation: { reportGet: () => (paid ? unlockedReport : lockedReport) },
    coupon: { getCanUse: () => ({ usable: [{ type: 'FREE' } as never], unusable: [] }) },
    pay: {
      createAiPre: () => ({
        ...{ originFen: 390, discountFen: 390, payFen: 0, coupons: [], couponId: 'c1' },
        ...{ payExpireAt: Date.now() + 60_000, agreeUrl: '' },
      }),
      payment: (req) => {
        paid = req
        return {}
      },
    },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: true, ad: false, manual: true }) },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('您有一张体验券，可免费解锁')
  await tap('解锁完整报告')
  await untilShown('用券免费解锁')
  expect(shown()).toContain('用券解锁即同意：解锁后优惠券不退回')
  // the report asked for again within that time would be the earlier answer (spec §7)
  const seenAt = Date.now()
  await until(() => Date.now() - seenAt > DEDUPE_WINDOW, 'the end of what counts as a repeat')
  await tap('用券免费解锁')
  await untilShown('相加即估价')
  expect(paid).toMatchObject({ orderId: 'o1', couponId: 'c1', consent: true })
  expect(navigations).toEqual([])
  expect(server.told).toEqual([])
})

it('a rejected comparable is priced without at the server; the original stays and it can come back', async () => {
  const asked: (string | undefined)[] = []
  const server = fakeServer({
    evaluation: {
      reportGet: ({ without }) => {
        if (without) asked.push(without)
        const rest = (unlockedReport.comparables ?? []).filter(({ id }) => !without?.split(',').includes(id))
        const price = { ...unlockedReport.price, predictFen: 229_900 }
        const confidence = unlockedReport.confidence ?? sure
        return without
          ? { ...unlockedReport, repriced: { without: [], price, confidence, comparables: rest } }
          : unlockedReport
      },
    },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('共 42 笔')
  const gap = '比同类低，主要因为荣耀典藏'
  expect(shown()).toContain(gap)
  expect(document.querySelector('.rp-comp')?.textContent).toMatch(
    /¥2,180相近 · .*同 贵族等级 V8 · 安卓微信　异 少1典藏 · 可二次实名折算 ¥2,290/,
  )
  expect(shown()).not.toContain('91%')
  await tap('排除成交 ¥2,180')
  await untilShown('排除 1 个后')
  expect(shown()).not.toContain(gap)
  expect(shown()).toContain('¥2,299')
  // the row stays under the finger that rejected it
  expect(document.querySelectorAll('.rp-comp')[0]?.textContent).toContain('已排除')
  await tap('排除挂牌 ¥2,999')
  await untilShown('排除 2 个后')
  expect(asked).toEqual(['c1', 'c1,c3'])
  await tap('恢复挂牌 ¥2,999')
  await untilShown('排除 1 个后')
  await tap('恢复成交 ¥2,180')
  await untilGone('排除 1 个后')
  expect(server.told).toEqual([])
})

it('says why the price changed, to the fen, and shows a person’s price beside the model’s', async () => {
  await open(() => renewedReport)
  await untilShown('为什么变了')
  await tap('为什么变了')
  const lines = renewedReport.changed?.lines ?? []
  for (const { label, amountFen } of lines) {
    expect(shown()).toContain(label)
    expect(shown()).toContain(signedYuan(amountFen))
  }
  expect(lines.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(232_269 - 226_500)
  for (const text of ['比上次 +¥57.69', '含两款绝版皮肤']) expect(shown()).toContain(text)
  await tap('人工估价 ¥2,950')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/report/index?orderId=o2'])
})

it('a person’s report shows one price, the range that person gave, and nothing nobody measured', async () => {
  await open(() => manualReport)
  await untilShown('估值师 小林')
  expect(shown()).toContain('¥2,950')
  expect(shown()).toContain('估价师区间 ¥2,750 – ¥3,150')
  // the appraiser's own, not those of the model's report below
  const card = document.querySelector('.rp-price')?.textContent
  for (const text of ['快速出手¥2,820', '建议挂牌¥3,090']) expect(card).toContain(text)
  const [band] = document.querySelectorAll('.rp-price [role=img]')
  expect(band?.getAttribute('aria-label')).toContain('区间 ¥2,750 – ¥3,150；')
  // the changed lines with both amounts, the struck comparables, and what was compared with the pictures
  for (const text of [
    '荣耀典藏 ×3AI +¥960 → +¥1,500其中一款已绝版，近两周成交高于均价',
    '划掉的可比账号',
    '时间太久',
    '已对照截图：荣耀典藏、限定传说',
  ])
    expect(shown()).toContain(text)
  for (const text of ['可信度', '八成', '成交在', '相加即估价']) expect(shown()).not.toContain(text)
  // the sales that person compared with are generated ones
  expect(shown()).toContain('合成数据，仅供演示')
})

it.each([
  ['one appraiser', manualReport, '从 AI 到估价师', '其他', false],
  ['two', expertReport, '从 AI 到估价师（两位平均）', '其他', true],
])(
  'the report of %s shows from the model’s price to its own, row by row to the fen',
  async (_, of, title, rest, unseen) => {
    await open(() => of)
    await untilShown(title)
    const rows = [...document.querySelectorAll('.hm-sum')].map((row) =>
      [...row.children].map((part) => part.textContent),
    )
    const { lines = [], restFen = 0 } = of.reconciliation ?? {}
    expect(rows).toEqual([
      ['AI 估价', '¥2,322.69'],
      ...lines.map(({ label, amountFen }) => [label, signedYuan(amountFen)]),
      [rest, signedYuan(restFen)],
      ['参考价', yuan(of.price.predictFen)],
    ])
    const fen = (text = '') => Math.round(100 * Number(text.replace('−', '-').replace(/[¥,+]/g, '')))
    const shownFen = rows.map(([, amount]) => fen(amount ?? ''))
    expect(shownFen.slice(0, -1).reduce((sum, one) => sum + one, 0)).toBe(shownFen.at(-1))
    expect(shown().includes('没有截图，无法核对')).toBe(unseen)
  },
)

it('a revalued report says why it was asked for, and the price before; questions lead to its appraiser', async () => {
  await open(() => revaluedReport)
  await untilShown('复估结果')
  for (const words of ['上一版 ¥2,770，这一版 ¥2,950', '少算了两款限定皮肤']) expect(shown()).toContain(words)
  await tap('问估价师')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/chat/index?orderId=o2&ask=1'])
})

it('an expert report names both with their prices and comments, and how they became one; of three, that the middle one counts', async () => {
  await open(() => expertReport)
  await untilShown('取两位均价')
  for (const words of [
    '独立估价 ¥2,950',
    '独立估价 ¥2,770',
    '估值师 小南',
    '近两周同类砍价明显',
    '估值师 小林：其中一款已绝版',
  ])
    expect(shown()).toContain(words)
  const [second] = expertReport.others ?? []
  if (!second) throw new Error('the sample has two appraisers')
  const third = { ...second, name: '估值师 小西', no: 'A021' }
  await open(() => ({ ...expertReport, others: [second, third] }))
  await untilShown('取三位的中间价')
})

it('an expert report that one person revalued names the others too, with the prices of the version before', async () => {
  await open(() => ({ ...revaluedReport, level: 'PRO', ...(expertReport.others && { others: expertReport.others }) }))
  await untilShown('上一版的估价')
  for (const words of ['估值师 小南', '独立估价 ¥2,770']) expect(shown()).toContain(words)
  expect(shown()).not.toContain('两位均价')
})

it.each([
  ['the owner', unlockedReport],
  ['a visitor', sharedReport],
  ['the reader of a person’s report', manualReport],
])('for %s markup in whatever people wrote is text', async (_who, report) => {
  const evil = '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>'
  // everything that contains text: nick, title, answers, labels, comments
  const hostile = JSON.parse(JSON.stringify(report), (_key, value) =>
    typeof value === 'string' && /\p{Script=Han}/u.test(value) ? value + evil : value,
  ) as Report
  await open(() => hostile)
  await untilShown(hostile.title.split(' · ')[0] ?? '')
  expect(document.querySelectorAll('img[src="x"], [onerror], body script')).toHaveLength(0)
  expect(shown().split('<script>').length).toBeGreaterThan(3)
})

it('no price: says why, and offers a person where one takes orders', async () => {
  const data = { gameId: 'hok' }
  fakeServer({
    evaluation: {
      reportGet: () => {
        throw new Refused(200, 'SAMPLE_INSUFFICIENT', '', data)
      },
    },
    app: { openPayStatus: () => ({ pay: 'NORMAL', help: false, ad: false, manual: true }) },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('改用人工估价')
  expect(shown()).toContain('不占用免费次数')
  await tap('改用人工估价')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['replace /pages/evaluation/fillInInfo/index?gameId=hok&mode=MANUAL'])
})

it('promises no unlock while no way to it is open', async () => {
  await open(() => lockedReport)
  await untilShown('出售文案')
  expect(shown()).not.toContain('解锁')
})

it('says nothing about the unlock, and keeps the button, until it is known whether it is open', async () => {
  let answer: (status: OpenPayStatus) => void = () => undefined
  fakeServer({
    evaluation: { reportGet: () => lockedReport },
    app: { openPayStatus: () => new Promise<OpenPayStatus>((resolve) => (answer = resolve)) },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('请稍候')
  for (const words of ['出售文案', '解锁完整报告']) expect(shown()).not.toContain(words)
  await act(() => answer({ pay: 'OFF', help: true, ad: false, manual: false }))
  await untilShown('解锁完整报告')
})

it('an unlocked report shows every line, and they add up to the price', async () => {
  await open(() => unlockedReport, true)
  await untilShown('相加即估价')
  const sum = unlockedReport.breakdown.reduce((total, line) => total + line.amountFen, 0)
  expect(sum).toBe(unlockedReport.price.predictFen)
  // the five longest, then the rest behind one tap
  expect([...document.querySelectorAll('.rp-line .rp-line__label')].map((el) => el.textContent)).toEqual([
    '荣耀典藏 ×3',
    '限定传说 ×9',
    '无双 ×2',
    '不可二次实名',
    '传说 ×24',
  ])
  expect(find('凤凰于飞')).toBeUndefined()
  await tap('其余 6 项 +¥375.54')
  for (const { label, amountFen } of unlockedReport.breakdown) {
    expect(find(label)).toBeDefined()
    expect(find(signedYuan(amountFen))).toBeDefined()
  }
  for (const text of ['超过 93%的王者荣耀账号', '约 3 天', '约 7 天', '多2限定传说', '解除防沉迷 +¥120', '风险中'])
    expect(shown()).toContain(text)
  expect(shown()).not.toContain('解锁')
  expect(find('凤凰于飞')).toBeDefined()
})

it('says that the sample is synthetic, what the number is not, and until when it holds', async () => {
  await open(() => unlockedReport)
  await untilShown('合成数据')
  expect(shown()).toContain('估价仅供参考，不构成收购承诺；请遵守游戏用户协议')
  await tap('更多')
  expect(shown()).toContain('有效期至')
})

it('one that has run out says so and offers a new valuation', async () => {
  const inputs = { schemaVersion: 7, answers: { server: 'android_qq', skinCount: 312 } }
  await open(() => ({ ...unlockedReport, status: 'EXPIRED', validUntil: Date.now() - 1, inputs }))
  await untilShown('报告已过期，可免费重估一次')
  await tap('重新估价')
  await until(() => navigations.length > 0, 'a move')
  expect(navigations).toEqual(['push /pages/evaluation/fillInInfo/index?gameId=hok&mode=AI'])
  // the form finds the same answers
  expect(drafts.load('u1', 'hok', 'AI')).toMatchObject({ ...inputs, gameName: '王者荣耀' })
})

it('says that a report does not exist, or why it did not load and how to retry', async () => {
  await open(() => {
    throw new Refused(404, 'NOT_FOUND')
  })
  await untilShown('没有找到这份报告')
  let broken = true
  const server = await open(() => {
    if (broken) throw new Refused(503, 'SERVICE_UNAVAILABLE')
    return lockedReport
  })
  await untilShown('点击重试')
  expect(server.told).toEqual([])
  broken = false
  // a repeat within 300 ms gets the earlier answer again (spec §7)
  while (find('点击重试')) await tap('点击重试')
  await untilShown('¥1,930 – ¥2,790')
})

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

it('the owner names the account; what is not a name is said at the box', async () => {
  let name: string | undefined
  const { seen } = fakeServer({
    evaluation: {
      reportGet: () => ({ ...unlockedReport, account: { ...unlockedReport.account, ...(name && { name }) } }),
    },
    user: {
      updateSettings: ({ account }) => {
        if (account?.name === '官方客服')
          throw new Refused(400, 'VALIDATION_FAILED', '', {
            fields: [{ path: 'account.name', msg: '内容包含不允许使用的词语，请修改' }],
          })
        name = account?.name
        return {} as never
      },
    },
    app: { openPayStatus: () => ({ pay: 'OFF', help: false, ad: false, manual: false }) },
  })
  await openPage(page('report', ReportScreen), '/pages/evaluation/report/index', { orderId: 'o1' })
  await untilShown('备注名添加')
  await tap('备注名')
  await type('备注名', '大')
  await tap('保存')
  await untilShown('备注名为 2-16 个字')
  await type('备注名', '官方客服')
  await tap('保存')
  await untilShown('内容包含不允许使用的词语')
  await type('备注名', ' 大号 ')
  await tap('保存')
  await untilShown('大号 · 王者荣耀')
  expect(seen.filter(({ call }) => call === 'user.updateSettings').at(-1)?.req).toEqual({
    account: { orderId: unlockedReport.orderId, name: '大号' },
  })
})

it('the owner copies a listing made from the report with one tap', async () => {
  const writeText = jest.fn().mockResolvedValue(undefined)
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  const report = { ...unlockedReport, verifyUrl: 'https://g.example/v/1' }
  await open(() => report)
  await untilShown('相加即估价')
  await tap('出售文案')
  await untilShown('售价：')
  expect(shown()).toContain('售价：¥2,560，可议')
  await tap('复制')
  await until(() => writeText.mock.calls.length > 0, 'the copy')
  expect(writeText.mock.calls).toEqual([[listingText(report)]])
})
