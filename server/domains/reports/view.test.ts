import { game } from '../../test/arbitrary'
import { REPORT_FORMAT } from './store'
import { isDealer, type ReportRow, redactForVisitor, reportView } from './view'

const config = game('naraka')
const deps = {
  ...{ games: { find: async () => ({ config }) }, publicStatistics: { market: async () => undefined } },
  clock: { now: () => 0 },
} as unknown as Parameters<typeof reportView>[0]
/** The owner's view of a stored manual report. */
const viewOf = (body: object) =>
  reportView(deps, {
    ...{ mode: 'MANUAL', game_id: config.gameId, inputs: { answers: {} } },
    body: { format: REPORT_FORMAT, ...body },
  } as unknown as ReportRow)

test('channels are compared with the best of those who made the price, not of an earlier version', async () => {
  const by = (name: string, feeBp: number) => ({
    ...{ name, priceFen: 100_000, comment: '' },
    work: { notes: [], comparables: [], advice: [{ channel: '寄售平台', how: '', feeBp }] },
  })
  const body = {
    price: { predictFen: 100_000, lowFen: 90_000, highFen: 110_000 },
    ...{ appraiser: by('乙', 600), second: by('丙', 800), earlier: [by('甲', 0)] },
    risk: { level: 'LOW', facts: [] },
  }
  const { appraiser, second } = await viewOf(body)
  expect(appraiser?.work.advice).toEqual([{ channel: '寄售平台', how: '', feeBp: 600, netFen: 94_000 }])
  expect(second?.work.advice).toMatchObject([{ netFen: 92_000, lessFen: 2_000 }])
})

test('differences and parts are those of the shown amounts', async () => {
  const work = { notes: [], comparables: [] }
  const advice = [100, 600].map((feeBp) => ({ channel: `手续费 ${feeBp}`, how: '', feeBp }))
  const binding = [
    { item: 'REAL_NAME', costFen: 23_000, gainFen: 12_000, basis: '', removal: '先申请变更，可多卖 ¥120' },
    { item: 'RECOVERY', costFen: 500, gainFen: 300, basis: '' },
    { item: 'LOGIN', costFen: 100, basis: '' },
  ]
  const view = await viewOf({
    price: { predictFen: 29_000, lowFen: 26_000, highFen: 32_000 },
    appraiser: { name: '甲', comment: '', work: { ...work, advice } },
    second: { name: '乙', comment: '', work: { ...work, advice: [], binding } },
    risk: { level: 'LOW', facts: [] },
    bindingInPrice: [
      { item: 'REAL_NAME', deductedFen: 22_250, gainFen: 11_950 },
      { item: 'RECOVERY', deductedFen: 250, gainFen: 150 },
      { item: 'LOGIN', deductedFen: 50, gainFen: 0 },
    ],
  })
  // 290 − 1 % = 287.10 and 290 − 6 % = 272.60 are shown as 287 and 273
  expect(view.appraiser?.work.advice[1]).toMatchObject({ netFen: 27_260, lessFen: 1_400 })
  // of 236, 225.50 are deducted: 226 and 10; the gains 120 and 2 make 122
  expect(view.binding).toMatchObject({ costFen: 23_600, openFen: 1_000, gainFen: 12_200 })
  expect(view.binding?.items.map(({ gainFen }) => gainFen)).toEqual([12_000, 200, undefined])
})

test('nothing is left to deduct where everything is, however coarsely the amounts are shown', async () => {
  const items = ['REAL_NAME', 'RECOVERY'] as const
  for (const costs of [
    [600_300, 400_300],
    [500_600, 500_600],
  ]) {
    const binding = items.map((item, i) => ({ item, status: 'BAD', costFen: costs[i] ?? 0, evidence: '' }))
    const view = await viewOf({
      price: { predictFen: 9_000_000, lowFen: 8_000_000, highFen: 10_000_000 },
      appraiser: { name: '甲', comment: '', work: { advice: [], binding } },
      risk: { level: 'LOW', facts: [] },
      bindingInPrice: items.map((item, i) => ({ item, deductedFen: costs[i], gainFen: 0 })),
    })
    expect(view.binding?.openFen).toBe(0)
  }
})

test('a manual report shows risks of the answers, and never says that there are none; visitors do not see what binding costs', async () => {
  const appraiser = { name: '甲', comment: '微信号不给，换绑失败就卖不成', work: { advice: [] } }
  const reconciliation = { aiFen: 11_000, lines: [], bindingFen: -700, restFen: -300, people: 1 }
  const of = (facts: string[]) =>
    viewOf({
      price: { predictFen: 10_000, lowFen: 9_000, highFen: 11_000 },
      ...{ appraiser, reconciliation, risk: { level: 'LOW', facts } },
    })
  const view = await of([])
  expect(view.risk).toBeUndefined()
  expect((await of(['防沉迷：有防沉迷'])).risk?.facts).toEqual(['防沉迷：有防沉迷'])
  expect(view.reconciliation).toEqual(reconciliation)
  expect(redactForVisitor(view).reconciliation).toEqual({ aiFen: 11_000, lines: [], restFen: -1_000, people: 1 })
})

test.each([
  ['号商回收', true],
  ['卖给号商', true],
  ['不想等就找号商', true],
  ['免费回收', true],
  ['不如回收', true],
  ['不限号商', true],
  ['不经号商的寄售', false],
  ['不经过号商', false],
  ['不卖给号商', false],
  ['避免回收', false],
  ['避免被回收', false],
  ['不通过号商', false],
  ['不用号商', false],
  ['不需要号商', false],
  ['非回收平台', false],
  ['绕过号商自己挂', false],
  ['寄售平台', false],
])('%s buys at the quick price: %s', (channel, quick) => {
  expect(isDealer(channel)).toBe(quick)
})
