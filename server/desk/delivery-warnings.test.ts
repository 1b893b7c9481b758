import type { FormConfig } from '@/contract/form/types'
import type { AppraisalDetails } from '@/contract/types'
import { warningsOf } from './delivery-warnings'

const valued = {
  price: { predictFen: 100_000 },
  comparables: [
    { id: 'near', adjFen: 98_000 },
    { id: 'half', adjFen: 60_000 },
    { id: 'double', adjFen: 240_000 },
  ],
} as unknown as Parameters<typeof warningsOf>[1]['valued']
const details: AppraisalDetails = {
  ...{ lowFen: 100_000, quickFen: 112_000, listFen: 130_000, highFen: 140_000, floorFen: 110_000 },
  notes: [
    { label: '典藏', amountFen: 30_000, ownFen: 50_000, verdict: 'HIGHER', why: '已绝版' },
    { label: '段位', amountFen: 5_000, verdict: 'AGREE', why: '相符' },
  ],
  comparables: [
    { id: 'near', verdict: 'KEPT', why: '资料一致' },
    { id: 'double', verdict: 'STRUCK', why: '差得太多' },
  ],
  advice: [{ channel: '寄售平台', how: '先挂 {挂牌价}，扣过的 300 元不再让', feeBp: 600 }],
}
const config = {
  fields: [
    {
      key: 'server',
      type: 'select',
      label: '服务器',
      binding: 'LOGIN',
      options: [
        { v: 'official', t: '官服' },
        { v: 'channel', t: '渠道服' },
      ],
    },
    {
      key: 'tap',
      type: 'select',
      label: 'TapTap 绑定',
      binding: 'LOGIN',
      changeable: true,
      options: [
        { v: 'unbound', t: '未绑定' },
        { v: 'bound', t: '已绑定' },
      ],
    },
  ],
} as unknown as FormConfig
const answers = { server: 'channel', tap: 'unbound' }
const REASON = '高于采用的可比账号，因为典藏已绝版'
const NOW = Date.parse('2026-11-26T18:00:00+08:00')
const warnings = (change: Partial<AppraisalDetails>, subject: Partial<Parameters<typeof warningsOf>[1]> = {}) =>
  warningsOf(
    { ...details, ...change },
    { priceFen: 120_000, comment: REASON, level: 'ADV', valued, config, answers, before: [], now: NOW, ...subject },
  )
const kept = (id: string) => ({ comparables: [{ id, verdict: 'KEPT' as const, why: '可作依据' }] })

test('a consistent delivery raises no warning', () => {
  expect(warnings({})).toEqual([])
  expect(warnings({}, { valued: undefined })).toEqual([])
})

test('an adopted account of at most half or at least twice the own price raises a warning, an excluded one does not', () => {
  expect(warnings(kept('half'))).toEqual(['采用的可比账号折算 ¥600，是您的估价 ¥1,200 的不到一半'])
  expect(warnings(kept('double'))).toEqual(['采用的可比账号折算 ¥2,400，是您的估价 ¥1,200 的2 倍以上'])
})

test.each([
  ['nothing', undefined, ['明细更正合计 ¥0，您的估价与模型相差 ¥200，对不上']],
  ['within a fifth of the difference', 46_500, []],
  ['more than a fifth too little', 45_000, ['明细更正合计 ¥150，您的估价与模型相差 ¥200，对不上']],
  ['the other way round', 10_000, ['明细更正合计 -¥200，您的估价与模型相差 ¥200，对不上']],
])('corrections that add up to the difference of the prices: %s', (_what, ownFen, expected) => {
  const [first, ...rest] = details.notes
  if (!first) throw new Error('the details have notes')
  const { ownFen: _, ...note } = first
  expect(warnings({ notes: [{ ...note, ...(ownFen !== undefined && { ownFen }) }, ...rest] })).toEqual(expected)
})

test('a difference of less than one per cent of the price needs no corrections', () => {
  expect(warnings({ notes: [] }, { priceFen: 100_900 })).toEqual([])
})

test('a verdict other than in the version before needs another reason', () => {
  const before = [{ label: '段位', verdict: 'LOWER' as const, why: '相符' }]
  expect(warnings({}, { before })).toEqual(['“段位”上一版是应该更低，这一版是同意模型，理由没有改'])
  expect(warnings({}, { before: [{ ...before[0], label: '段位', verdict: 'LOWER', why: '赛季末' }] })).toEqual([])
})

test('advice that sells below the floor raises a warning; of two appraisers, every price that is not a placeholder', () => {
  const said = (how: string) => ({ advice: [{ channel: '玩家群', how, feeBp: 0 }] })
  expect(warnings(said('直接报 1,150 元，可让到 ¥1,050'))).toEqual(['“玩家群”里写了 ¥1,050，低于底价 ¥1,100'])
  expect(warnings(said('直接报 1,150 元，可让到 ¥1,100'))).toEqual([])
  expect(warnings(said('直接报 1,150 元'), { level: 'PRO' })[0]).toContain(
    '“玩家群”里写了 ¥1,150：最终价格由两份估价得出',
  )
})

test('a gain from changing what the owner cannot change raises a warning, one from releasing a binding does not', () => {
  const binding = (gainFen: number) => [
    {
      ...{ item: 'LOGIN' as const, costFen: 5_000, gainFen, evidence: 'ANSWERS' as const },
      ...{ basis: '渠道服卖得低', removal: '先处理服务器' },
    },
  ]
  const fixed = ['“登录渠道解绑”写了解除后多卖 ¥50，但“服务器：渠道服、TapTap 绑定：未绑定”不能再改好']
  expect(warnings({ binding: binding(5_000) })).toEqual(fixed)
  expect(warnings({ binding: binding(0) })).toEqual([])
  expect(warnings({ binding: binding(5_000) }, { answers: { ...answers, tap: 'bound' } })).toEqual([])
  expect(warnings({ binding: binding(5_000) }, { answers: { server: 'channel' } })).toEqual([])
})

const bargain = (how: string, says = '同类更便宜') => ({ advice: [{ channel: `买家压价：${says}`, how }] })

test('an answer to a buyer may quote the price the buyer names, not what it comes to below the own floor', () => {
  const sales = [{ id: 'near', priceFen: 90_000, adjFen: 98_000 }]
  const subject = { valued: { ...valued, comparables: sales } as unknown as typeof valued }
  const below = ['“同类更便宜”里那个号折算 ¥980，低于底价 ¥1,100：等于替买家压价']
  expect(warnings(bargain('那个号卖 900 元，折算到这个号是 980 元'), subject)).toEqual(below)
  expect(warnings(bargain('那个号卖 900 元，折算到这个号是 980 元'), { ...subject, level: 'PRO' })).toEqual(below)
  expect(warnings(bargain('那个号卖 900 元，少了一款典藏，不能这样比'), subject)).toEqual([])
})

test('a title that names what lowers the price raises a warning, honest notes elsewhere do not', () => {
  const notes = [
    ...details.notes,
    { label: '防沉迷 有防沉迷', amountFen: -21_400, verdict: 'AGREE' as const, why: '相符' },
  ]
  const said = (how: string) => warnings({ notes, advice: [{ channel: '寄售平台', how, feeBp: 600 }] })
  expect(said('标题写“典藏”“防沉迷 有防沉迷”，先挂 {挂牌价}')).toEqual([
    '“寄售平台”把“防沉迷 有防沉迷”写进标题，它让价格更低；请写进说明',
  ])
  expect(said('标题写“典藏”，说明里写明“防沉迷 有防沉迷”；先挂 {挂牌价}')).toEqual([])
})

test('the fee is named once: another percentage, or an escrow without a fee, raises a warning', () => {
  const said = (how: string, feeBp: number) => warnings({ advice: [{ channel: '玩家群', how, feeBp }] })
  expect(said('先挂 {挂牌价}，平台收 5% 手续费', 600)).toEqual(['“玩家群”的手续费填了 6%，做法里写的是 5%'])
  expect(said('先挂 {挂牌价}，平台收 6% 手续费', 600)).toEqual([])
  expect(said('直接报 {参考价}，只走平台担保，不收定金', 0)).toEqual([
    '“玩家群”填了没有手续费，做法却要走担保：请填担保的手续费',
  ])
  expect(said('直接报 {参考价}，当面换绑，验号后当场付款', 0)).toEqual([])
})

test('a price outside the adopted accounts needs a reason in the comment', () => {
  const outside = '您的估价 ¥1,200 高于采用的可比账号（折算 ¥980），估价说明没有写为什么高于它们'
  expect(warnings({}, { comment: '采用的号折算 980 元，我给 1,200 元，比模型高 20%' })).toEqual([outside])
  expect(warnings({}, { comment: '比采用的号多一款典藏，所以高 20%' })).toEqual([])
  expect(warnings({ notes: [] }, { comment: '按成交估价', priceFen: 99_500 })).toEqual([])
  const low = { ...valued, price: { predictFen: 90_000 } } as typeof valued
  expect(warnings({ notes: [] }, { comment: REASON, priceFen: 90_000, valued: low })).toEqual([
    '您的估价 ¥900 低于采用的可比账号（折算 ¥980），估价说明没有写为什么低于它们',
  ])
})

const advised = (how: string) => ({ advice: [{ channel: '寄售平台', how, feeBp: 600 }] })

test('a text lists the account at the list price or at a step of the plan', () => {
  const other = ['文字里写挂 ¥1,280，建议挂牌价填的是 ¥1,300']
  expect(warnings(advised('先挂 1,280 元，验号后再谈'))).toEqual(other)
  expect(warnings({}, { comment: `${REASON}。挂牌价 ¥1,280` })).toEqual(other)
  expect(warnings(advised('先挂 1,300 元，验号后再谈'))).toEqual([])
  const plan = [
    { day: 1, fen: 130_000 },
    { day: 4, fen: 128_000 },
  ]
  expect(warnings({ plan, ...advised('先挂 ¥1,300，第 4 天挂 1,280 元') })).toEqual([])
})

test('a gain from mending is one amount in all texts, as a gain or as the price after it', () => {
  const after = (how: string) => warnings(advised(how), { comment: `${REASON}。解绑后约多卖 80 元` })
  expect(after('先解绑微信，能卖 1,300 元')).toEqual(['改好后多卖多少，文字里有 2 个数：¥80、¥100'])
  expect(after('先解绑微信，能卖 1,280 元；不解绑最低卖 1,150 元')).toEqual([])
  const binding = [
    {
      ...{ item: 'LOGIN' as const, costFen: 9_000, gainFen: 5_000, evidence: 'ANSWERS' as const },
      ...{ basis: '只能用原微信登录', removal: '解绑' },
    },
  ]
  const comment = `${REASON}。解绑后约多卖 80 元`
  expect(warnings({ binding }, { answers: { ...answers, tap: 'bound' }, comment })).toEqual([
    '改好后多卖多少，文字里写 ¥80，绑定与找回里填 ¥50',
  ])
})

test('of two appraisers no text names a gain from mending: the report computes it for its own price', () => {
  const comment = `${REASON}。解绑后约多卖 80 元`
  const asked = '改好后多卖多少，报告按最终价格写出来，文字里请不要写 ¥80'
  expect(warnings({}, { comment, level: 'PRO' })).toContain(asked)
  expect(warnings({}, { comment: REASON, level: 'PRO' }).join()).not.toContain('改好后')
})

test('a channel that leaves less than a dealer raises a warning', () => {
  const said = (feeBp: number, dealerBp: number) =>
    warnings({
      advice: [
        { channel: '寄售平台', how: '先挂 {挂牌价}', feeBp },
        { channel: '号商', how: '报 {快速价}，当天收', feeBp: dealerBp },
      ],
    })
  // 12 % of ¥1,200 against nothing of ¥1,120
  expect(said(1200, 0)).toEqual(['“寄售平台”到手 ¥1,056，比“号商”马上收的 ¥1,120 还少：请核对手续费，或换一个渠道'])
  expect(said(600, 0)).toEqual([])
  expect(said(1200, 600)).toEqual([])
})

test.each([
  ['第 9 天还没成交就降到 {快速价}', 9],
  ['两周后没人问再降到 {快速价}', 14],
  ['12 月 5 日新赛季前按 {挂牌价} 卖', 9],
  ['1 月 3 日前按 {挂牌价} 卖', 38],
])('advice for a time after the report is valid raises a warning: %s', (how, days) => {
  expect(warnings(advised(how))).toEqual([`“寄售平台”写到第 ${days} 天，报告 7 天内有效`])
})

test('advice within the validity and times in the past raise no warning', () => {
  expect(warnings(advised('第 3 天没人问降到 {参考价}，一周后按 {快速价}；近 30 天成交多，11 月 3 日有一单'))).toEqual(
    [],
  )
})
