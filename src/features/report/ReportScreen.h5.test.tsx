import { signedYuan } from '@/contract/format'
import type { Report } from '@/contract/types'
import { page } from '@/router/page'
import { lockedReport, manualReport, renewedReport, sharedReport, trend, unlockedReport } from '@/samples/report'
import { drafts } from '@/session/drafts'
import { fakeServer, Refused } from '../../../test/fakes/api'
import { navigations } from '../../../test/fakes/navigation'
import { open, setUpReport } from '../../../test/fakes/report'
import { find, shown, tap, type, until, untilGone, untilShown } from '../../../test/fakes/screen'
import { openPage } from '../../../test/fakes/taro'
import { listingText } from './listingText'
import { ReportScreen } from './ReportScreen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpReport()

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
  await until(() => navigations.some((move) => move.includes('field=rank')), 'the form at the question')
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
  await until(() => navigations.some((move) => move.includes('field=rank')), 'the form at the question')
  drafts.clear()
})

it('beyond all sales the upper end is open, and an appraiser is one tap away', async () => {
  const inputs = { schemaVersion: 1, answers: { level: 30 } }
  const price = { ...unlockedReport.price, openEnded: true }
  await open(() => ({ ...unlockedReport, inputs, price }) as Report)
  await untilShown('超出已有成交，至少 ¥2,323')
  await tap('请估价师看看')
  await until(() => navigations.some((move) => move.includes('mode=MANUAL')), 'the form of the human valuation')
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
