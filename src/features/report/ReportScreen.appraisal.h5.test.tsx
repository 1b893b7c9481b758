import { signedYuan, yuan } from '@/contract/format'
import { expertReport, manualReport, revaluedReport } from '@/samples/report'
import { navigations } from '../../../test/fakes/navigation'
import { open, setUpReport } from '../../../test/fakes/report'
import { shown, tap, until, untilShown } from '../../../test/fakes/screen'

jest.mock('@tarojs/taro', () => require('../../../test/fakes/navigation').fakeTaro())

setUpReport()

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
    expect(shownFen.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(shownFen.at(-1))
    expect(shown().includes('没有截图，无法核对')).toBe(unseen)
  },
)

it('a report with pictures that nobody compared says so', async () => {
  const { appraiser } = manualReport
  if (!appraiser) throw new Error('the sample has an appraiser')
  const work = { ...appraiser.work, checked: [] }
  await open(() => ({ ...manualReport, pictures: 3, appraiser: { ...appraiser, work } }))
  await untilShown('截图 3 张，没有逐项核对')
})

it('a revalued report says why it was asked for, and leads to the one before; questions lead to its appraiser', async () => {
  await open(() => revaluedReport)
  await untilShown('复估结果')
  for (const words of ['上一版 ¥2,770，这一版 ¥2,950', '少算了两款限定皮肤']) expect(shown()).toContain(words)
  await tap('看上一版报告')
  await tap('问估价师')
  await until(() => navigations.length > 1, 'both moves')
  expect(navigations).toEqual([
    'replace /pages/evaluation/report/index?reportNo=GZ20261120-K7M2QX',
    'push /pages/chat/index?orderId=o2&ask=1',
  ])
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
