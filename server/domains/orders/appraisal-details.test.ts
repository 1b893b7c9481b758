import { BARGAIN_PREFIX, serviceTerms } from '@/contract/appraisal'
import { bindingItemText, keysOf, manualLevelText } from '@/contract/labels'
import type { AppraisalDetails } from '@/contract/types'
import type { AppError } from '../../app-error'
import type { Valued } from '../../engine/types'
import { linesByWeight, misspelledNames, validateAppraisal } from './appraisal-details'

const LINES = 12
const LIKES = 8
const valued = {
  breakdown: Array.from({ length: LINES }, (_, i) => ({ label: `第${i}项`, amountFen: (i % 2 ? -1 : 1) * i * 100 })),
  comparables: Array.from({ length: LIKES }, (_, i) => ({ id: `c${i}`, adjFen: 100_000 })),
} as unknown as Valued
const priceFen = 100_000

const details = (level: keyof typeof serviceTerms): AppraisalDetails => ({
  ...{ lowFen: 90_000, quickFen: 95_000, listFen: 105_000, highFen: 110_000 },
  notes: linesByWeight(valued)
    .slice(0, serviceTerms[level].notes)
    .map(({ label, amountFen }) => ({ label, amountFen, verdict: 'AGREE', why: `${label}和近期成交相符` })),
  comparables: valued.comparables
    .slice(0, serviceTerms[level].comparables)
    .map(({ id }) => ({ id, verdict: 'KEPT', why: `${id} 的资料几乎一致` })),
  advice: [
    ...Array.from({ length: serviceTerms[level].channels }, (_, i) => `渠道${i}`),
    ...Array.from({ length: serviceTerms[level].bargains }, (_, i) => `${BARGAIN_PREFIX}理由${i}`),
  ].map((channel) => ({
    ...{ channel, how: '先按建议挂牌价挂出，一周后降到参考价' },
    ...(!channel.startsWith(BARGAIN_PREFIX) && { feeBp: 600 }),
  })),
  floorFen: 95_000,
  ...(serviceTerms[level].planSteps > 0 && { plan }),
})
const plan = [105_000, 102_000, 100_000].map((fen, i) => ({ day: 1 + 3 * i, fen }))

function issues(given: Parameters<typeof validateAppraisal>[0]): string[] {
  try {
    validateAppraisal(given)
    return []
  } catch (e) {
    return ((e as AppError).data as { fields: { path: string }[] }).fields.map(({ path }) => path)
  }
}
const check = (level: keyof typeof serviceTerms, change: Partial<AppraisalDetails> = {}) =>
  issues({ details: { ...details(level), ...change }, priceFen, level, valued })

test.each(keysOf(manualLevelText))('%s: what the checkout names is enough, one less of anything is not', (level) => {
  const full = details(level)
  expect(check(level)).toEqual([])
  expect(check(level, { notes: full.notes.slice(1) })).toEqual(['notes'])
  expect(check(level, { comparables: full.comparables.slice(1) })).toEqual(['comparables'])
  expect(check(level, { advice: full.advice.slice(1) })).toEqual(['advice'])
  const without = (start: string) => full.advice.filter(({ channel }) => !channel.startsWith(start))
  const promised = serviceTerms[level].planSteps > 0
  expect(check(level, { plan: full.plan?.slice(1) ?? [] })).toEqual(promised ? ['plan'] : [])
  expect(check(level, { advice: without(`${BARGAIN_PREFIX}理由1`) })).toEqual(promised ? ['bargains'] : [])
})

test.each(keysOf(manualLevelText))(
  '%s: every verdict has its reason, every channel its fee, and there is a floor',
  (level) => {
    const full = details(level)
    const bare = <T extends { why: string }>(list: T[]) => list.map((one) => ({ ...one, why: '' }))
    expect(check(level, { notes: bare(full.notes) })).toEqual(full.notes.map(() => 'notes'))
    expect(check(level, { comparables: bare(full.comparables) })).toEqual(['comparables'])
    const { floorFen: _, ...floorless } = full
    expect(issues({ details: floorless, priceFen, level, valued })).toEqual(['floor'])
    const charged = (feeBp?: number) =>
      full.advice.map(({ feeBp: was, ...one }) => ({
        ...one,
        ...(was !== undefined && feeBp !== undefined && { feeBp }),
      }))
    const channels = Array.from({ length: serviceTerms[level].channels }, () => 'advice')
    expect(check(level, { advice: charged() })).toEqual(channels)
    expect(check(level, { advice: charged(5_001) })).toEqual(channels)
    expect(check(level, { advice: charged(0) })).toEqual([])
  },
)

test('each service asks for at least what the one below it does, and for more of something', () => {
  const levels = keysOf(manualLevelText).map((level) => serviceTerms[level])
  for (const [i, terms] of levels.entries()) {
    const below = levels[i - 1]
    if (!below) continue
    const keys = keysOf(terms)
    expect(keys.every((key) => terms[key] >= below[key])).toBe(true)
    expect(keys.some((key) => terms[key] > below[key])).toBe(true)
  }
})

test('prices are ordered; a disagreement and an excluded comparable have a reason', () => {
  expect(check('STD', { quickFen: 101_000 })).toEqual(['range'])
  expect(check('STD', { highFen: 104_000 })).toEqual(['range'])
  expect(check('STD', { lowFen: 0 })).toEqual(['range'])
  const { notes, comparables } = details('STD')
  const first = <T extends object>(list: T[], change: Partial<T>) =>
    list.map((one, i) => (i > 0 ? one : { ...one, ...change }))
  expect(check('STD', { notes: first(notes, { verdict: 'HIGHER', why: '' }) })).toEqual(['notes'])
  // one that differs also says the own amount, on the right side of the model's
  const higher = { verdict: 'HIGHER' as const, why: '绝版外观近期成交更高' }
  const [{ amountFen = 0 } = {}] = notes
  expect(check('STD', { notes: first(notes, higher) })).toEqual(['notes'])
  expect(check('STD', { notes: first(notes, { ...higher, ownFen: amountFen - 1 }) })).toEqual(['notes'])
  expect(check('STD', { notes: first(notes, { ...higher, ownFen: amountFen + 1 }) })).toEqual([])
  expect(check('STD', { notes: first(notes, { ...higher, verdict: 'LOWER', ownFen: amountFen - 1 }) })).toEqual([])
  expect(check('STD', { comparables: first(comparables, { verdict: 'STRUCK', why: '' }) })).toEqual(['comparables'])
  expect(check('STD', { comparables: first(comparables, { id: 'unknown' }) })).toEqual(['comparables'])
})

const clear = keysOf(bindingItemText).map((item) => ({
  ...{ item, costFen: 0, basis: '资料写明没有', evidence: 'ANSWERS' as const },
}))
test('whose duty it is judges every item of binding; what costs something says how to remove it and what that gains', () => {
  const duties = { binding: true }
  const judged = (change: object) =>
    issues({
      details: { ...details('PRO'), binding: clear.map((one, i) => (i > 0 ? one : { ...one, ...change })) },
      ...{ priceFen, level: 'PRO', valued, duties },
    })
  expect(judged({})).toEqual([])
  expect(issues({ details: details('PRO'), priceFen, level: 'PRO', valued, duties })).toHaveLength(clear.length)
  expect(judged({ basis: '' })).toEqual(['binding'])
  expect(judged({ costFen: 5_000 })).toEqual(['binding'])
  expect(judged({ costFen: 5_000, removal: '先申请一次实名变更' })).toEqual(['binding'])
  expect(judged({ costFen: 5_000, removal: '先申请一次实名变更', gainFen: 6_000 })).toEqual(['binding'])
  expect(judged({ costFen: 5_000, removal: '先申请一次实名变更', gainFen: 5_000 })).toEqual([])
  expect(judged({ costFen: priceFen + 1, removal: '先申请一次实名变更', gainFen: 0 })).toEqual(['binding'])
})

test('the later of two adopts two comparables that the other did not, as far as there are any left', () => {
  const given = (adopted: string[]) =>
    issues({ details: details('PRO'), priceFen, level: 'PRO', valued, duties: { binding: false, adopted } })
  expect(given(['c0', 'c1', 'c2'])).toEqual([])
  expect(given(['c0', 'c1', 'c2', 'c3'])).toEqual(['comparables'])
  // the other one left two comparables and this one adopts neither: refused; where none are left, none are required
  expect(given(['c0', 'c1', 'c2', 'c3', 'c4', 'c5'])).toEqual(['comparables'])
  expect(given(valued.comparables.map(({ id }) => id))).toEqual([])
})

test('one reason may be given for two lines and two comparables, not for three', () => {
  const said = (change: Partial<AppraisalDetails>) => {
    try {
      validateAppraisal({ details: { ...details('PRO'), ...change }, priceFen, level: 'PRO', valued })
      return []
    } catch (e) {
      return (e as AppError).detail.split('；')
    }
  }
  const { notes, comparables } = details('PRO')
  // punctuation, width and case make no reason of its own
  const whys = ['和 A 款成交相符', '和a款，成交相符。', '和Ａ款成交相符！']
  const pasted = <T extends object>(list: T[], times: number) =>
    list.map((one, i) => (i < times ? { ...one, why: whys[i] } : one))
  expect(said({ notes: pasted(notes, 2) as typeof notes, comparables: pasted(comparables, 2) })).toEqual([])
  expect(said({ notes: pasted(notes, 3) as typeof notes, comparables: pasted(comparables, 3) })).toEqual([
    '“和 A 款成交相符”写在了 3 项里，请写各项自己的理由',
    '“和 A 款成交相符”写在了 3 个可比账号里，请写各项自己的理由',
  ])
})

test('what is given twice counts once and is named', () => {
  const full = details('PRO')
  const said = (change: Partial<AppraisalDetails>, given: object = {}) => {
    try {
      validateAppraisal({ details: { ...full, ...change }, priceFen, level: 'PRO', valued, ...given })
      return []
    } catch (e) {
      return (e as AppError).detail.split('；')
    }
  }
  const same = <T extends object>(list: T[]) => list.map((one) => ({ ...one, ...list[0] }))
  const { notes, comparables, advice } = full
  expect(said({ notes: same(notes) })).toEqual([
    '请至少对 8 项明细表态，现在是 1 项',
    `明细“${notes[0]?.label}”重复了，请只保留一条`,
  ])
  expect(said({ comparables: same(comparables) })).toEqual([
    '请至少取舍 5 个可比账号，现在是 1 个',
    '“可比账号 1”重复了，请只保留一条',
  ])
  const renamed = (at: number, channel: string) => advice.map((one, i) => (i === at ? { ...one, channel } : one))
  expect(said({ advice: renamed(1, ' 渠道\u200b０。') })).toEqual([
    '请写至少 2 个渠道的出售建议',
    '渠道“渠道０。”重复了，请只保留一条',
  ])
  expect(said({ advice: renamed(3, `${BARGAIN_PREFIX}理 由0`) })).toEqual([
    '请写至少 2 种买家压价怎么回',
    '买家压价“理 由0”重复了，请只保留一条',
  ])
  expect(said({ binding: [...clear, ...clear.slice(0, 1)] })).toEqual(['绑定与找回“实名”重复了，请只保留一条'])
  const own = [...comparables, ...comparables.slice(0, 1)]
  expect(said({ comparables: own }, { duties: { binding: false, adopted: ['c1', 'c2', 'c3', 'c4'] } })).toEqual([
    '“可比账号 1”重复了，请只保留一条',
    '请采用至少 2 个另一位没有采用的可比账号，现在是 1 个',
  ])
  // without a price of the model the labels are the appraiser's own
  const named = notes.map(({ amountFen: _, ...one }, i) => ({ ...one, label: `${'\u200b'.repeat(i)}皮肤` }))
  expect(said({ notes: named, comparables: [] }, { valued: undefined })).toEqual([
    '请至少对 8 项明细表态，现在是 1 项',
    '明细“皮肤”重复了，请只保留一条',
  ])
})

test('a game with two fields of one name has two lines of it, and both may be judged', () => {
  const twice = { ...valued, breakdown: [...valued.breakdown.slice(0, 4), ...valued.breakdown.slice(3, 4)] }
  const notes = twice.breakdown.map(({ label, amountFen }) => ({
    ...{ label, amountFen, verdict: 'AGREE' as const, why: `${label}和近期成交相符` },
  }))
  const given = { ...details('STD'), notes }
  expect(issues({ details: given, priceFen, level: 'STD', valued: twice as Valued })).toEqual([])
})

test.each([
  ['nothing visible', '\u200b\u3164 \u2060'.repeat(6)],
  ['punctuation', '。，！…—.'.repeat(3)],
  ['emoji', '👍🏽🔥㊗\ufe0f'.repeat(3)],
  ['accents', '\u0301'.repeat(20)],
])('a required text that consists of %s is missing', (_what, blank) => {
  const { notes, comparables, advice } = details('PRO')
  const first = <T extends object>(list: T[], change: Partial<T>) =>
    list.map((one, i) => (i > 0 ? one : { ...one, ...change }))
  expect(check('PRO', { notes: first(notes, { why: blank }) })).toEqual(['notes'])
  expect(check('PRO', { comparables: first(comparables, { why: blank }) })).toEqual(['comparables'])
  expect(check('PRO', { advice: first(advice, { how: blank }) })).toEqual(['advice'])
  expect(check('PRO', { advice: first(advice, { channel: blank }) })).toEqual(['advice'])
  for (const says of ['', blank]) {
    const answers = [...advice.slice(0, -1), { ...advice[0], channel: `${BARGAIN_PREFIX}${says}` }]
    expect(check('PRO', { advice: answers as typeof advice })).toEqual(['bargains'])
  }
  const binding = clear.map((one) => ({ ...one, costFen: 5_000, removal: '先申请一次实名变更', gainFen: 0 }))
  const judged = (change: Partial<(typeof binding)[0]>) => check('PRO', { binding: first(binding, change) })
  expect(judged({ basis: blank })).toEqual(['binding'])
  expect(judged({ removal: blank })).toEqual(['binding'])
  expect(judged({})).toEqual([])
  const own = { ...details('STD'), comparables: [], notes: first(details('STD').notes, { label: blank }) }
  expect(issues({ details: own, priceFen, level: 'STD', valued: undefined })).toEqual(['notes'])
})

test.each([
  ['a day that does not follow', [1, 1, 7], [1050, 1020, 1000], 950, ['plan']],
  ['a day after the report has expired', [1, 4, 8], [1050, 1020, 1000], 950, ['plan']],
  ['a price that rises', [1, 4, 7], [1050, 1060, 1000], 950, ['plan']],
  ['a first price above the list price', [1, 4, 7], [1060, 1020, 1000], 950, ['plan']],
  ['a step below the floor', [1, 4, 7], [1050, 1000, 940], 950, ['plan']],
  ['a floor above the quick price', [1, 4, 7], [1050, 1020, 1000], 960, ['floor']],
  ['a floor below the range', [1, 4, 7], [1050, 1020, 1000], 890, ['floor']],
] as const)('a selling plan with %s is refused', (_what, days, prices, floor, paths) => {
  const wrong = prices.map((yuan, i) => ({ day: days[i] ?? 0, fen: yuan * 100 }))
  expect(check('ADV', { plan: wrong, floorFen: floor * 100 })).toEqual(paths)
})

test('advice names amounts of the report by placeholders that exist', () => {
  const said = (how: string) => [{ channel: '寄售平台', how, feeBp: 600 }, ...details('ADV').advice.slice(1)]
  expect(check('ADV', { advice: said('先挂 {挂牌价}，最低到 {快速价}，不再让') })).toEqual([])
  expect(check('ADV', { advice: said('先挂 {挂牌}，最低到 {快速价}，不再让') })).toEqual(['advice'])
  // buyers may read the advice on a channel, but not the answers to them
  expect(check('ADV', { advice: said('先挂 {挂牌价}，最低到 {底价}，不再让') })).toEqual(['advice'])
  const answer = { channel: `${BARGAIN_PREFIX}太贵`, how: '先挂 {挂牌价}，最低到 {底价}，不再让' }
  expect(check('ADV', { advice: [...details('ADV').advice, answer] })).toEqual([])
})

test('without a price of the model the lines are the appraiser’s own and comparables are not asked', () => {
  const own = details('STD').notes.map((_, i) => ({
    label: `自己的第${i}项`,
    verdict: 'AGREE' as const,
    why: `看过第${i}张截图`,
  }))
  const given = { details: { ...details('STD'), notes: own, comparables: [] }, priceFen, level: 'STD' as const }
  expect(issues({ ...given, valued: undefined })).toEqual([])
  expect(issues({ ...given, details: { ...given.details, notes: own.slice(1) }, valued: undefined })).toEqual(['notes'])
})

test('a name with one wrong character is found, a right one and a different one are not', () => {
  const names = ['联动·古墓丽影', '横刀·极品外观']
  expect(misspelledNames('含联动·古墓丽形一件', names)).toEqual([{ written: '联动·古墓丽形', name: '联动·古墓丽影' }])
  expect(misspelledNames('含联动·古墓丽影一件', names)).toEqual([])
  expect(misspelledNames('含横刀一件', names)).toEqual([])
})

test('the beginning of a correct longer name is not a misspelt shorter one', () => {
  const names = ['腥红之月·烬', '腥红之月·阿卡丽']
  expect(misspelledNames('多腥红之月·阿卡丽', names)).toEqual([])
  expect(misspelledNames('多腥红之月·阿卡丽，少腥红之月·尽', names)).toEqual([
    { written: '腥红之月·尽', name: '腥红之月·烬' },
  ])
  expect(misspelledNames('有腥红之月·烬，不是腥红之月·尽', names)).toHaveLength(1)
})
