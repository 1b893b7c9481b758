import { optionsOf } from '@/contract/form/answers'
import type { Answers, Field } from '@/contract/form/types'
import { games, modelOf, SALES_UNTIL } from '../test/arbitrary'
import { mostTelling, priceGap, showComparables } from './comparables'
import { applyHedonic } from './hedonic'
import type { Model, StoredSale } from './types'

const DAY = 86_400_000

test('the greatest effects come first; a raised price never stands beside advantages only', () => {
  const of = (...effects: number[]) => mostTelling(effects.map((effect) => ({ words: String(effect), effect })))
  expect(of(0.01, -0.3, 0.2, 0.1)).toEqual(['-0.3', '0.2', '0.1'])
  expect(of(0.1, 0.09, 0.08, -0.07, -0.06, -0.05, -0.04, -0.08)).toEqual(['0.1', '0.09', '-0.08'])
})

describe('differences in words', () => {
  const config = games.find(({ gameId }) => gameId === 'hok') as (typeof games)[number]
  const usual = modelOf(config)
  /** a model whose market has risen by a tenth in the last hundred days */
  const model: Model = {
    ...usual,
    hedonic: {
      ...usual.hedonic,
      market: { ...usual.hedonic.market, start: SALES_UNTIL - 100 * DAY, step: 100 * DAY, values: [0, Math.log(1.1)] },
    },
  }
  const base = (model.sales.find(({ kind }) => kind === 'SOLD') as StoredSale).attributes

  function shown(account: Answers, theirs: Answers, more: Partial<StoredSale> = {}) {
    const sale = {
      ...(model.sales[0] as StoredSale),
      kind: 'SOLD' as const,
      at: SALES_UNTIL,
      ...more,
      attributes: theirs,
    }
    const value = applyHedonic(model.hedonic, account, 'worst')
    const own = { value, log: value.logValue }
    const [first] = showComparables(model, config, account, own, 100_000, [{ sale, distance: 0.1 }], SALES_UNTIL)
    return first?.comparable.diff
  }

  test('a dear item that it lacks is named before more cheap ones', () => {
    const code = model.hedonic.fields.find(
      (fieldCode) => fieldCode.kind === 'list' && fieldCode.rows === 'plain' && fieldCode.items.length > 9,
    )
    if (code?.kind !== 'list') throw new Error('no list of plain items')
    const field = config.fields.find(({ key }) => key === code.key) as Field
    const byWorth = [...code.items].sort((a, b) => worth(b) - worth(a))
    const names = new Map(optionsOf(config, field).map(({ v, t }) => [v, t]))
    function worth(item: string) {
      return code?.weights[code.kind === 'list' ? code.items.indexOf(item) : 0] ?? 0
    }
    const [dearest = ''] = byWorth
    const cheap = byWorth.slice(-3)
    const words = shown({ ...base, [code.key]: [dearest] }, { ...base, [code.key]: cheap })
    expect(words).toEqual([`少${names.get(dearest)}`])
    expect(shown({ ...base, [code.key]: cheap }, { ...base, [code.key]: [dearest, ...cheap] })).toEqual([
      `多${names.get(dearest)}`,
    ])
  })

  test('the market since a sale explains a price that differs without other answers', () => {
    expect(shown(base, base)).toEqual([])
    expect(shown(base, base, { at: SALES_UNTIL - 100 * DAY })).toEqual(['成交后行情涨10%'])
  })

  test('a price far from theirs is explained by what is better and worse in the account, one close to them is not', () => {
    const [list, factor] = [
      config.fields.find(({ key }) =>
        model.hedonic.fields.some((fieldCode) => fieldCode.key === key && fieldCode.kind === 'list'),
      ),
      config.fields.find(
        ({ role, options }) => role === 'factor' && options?.some(({ v }) => v === 'unknown') !== true,
      ),
    ] as [Field, Field]
    const effectOf = (v: string) =>
      applyHedonic(model.hedonic, { ...base, [factor.key]: v }, 'worst').factors.find(({ key }) => key === factor.key)
        ?.effect ?? 0
    const byEffect = [...optionsOf(config, factor)].sort((a, b) => effectOf(a.v) - effectOf(b.v))
    const [worst, best] = [byEffect[0]?.v, byEffect.at(-1)?.v]
    const all = optionsOf(config, list).map(({ v }) => v)
    const account = { ...base, [list.key]: all, [factor.key]: worst }
    const theirs = { ...base, [list.key]: [], [factor.key]: best }
    const sale = { ...(model.sales[0] as StoredSale), kind: 'SOLD' as const, at: SALES_UNTIL, priceFen: 100_000 }
    const value = applyHedonic(model.hedonic, account, 'worst')
    const own = { value, log: value.logValue }
    const neighbour = { sale: { ...sale, attributes: theirs }, distance: 0.1 }
    const similar = showComparables(model, config, account, own, 150_000, [neighbour], SALES_UNTIL)
    expect(priceGap(similar, 150_000)).toEqual({ medianFen: 100_000, better: [list.label], worse: [factor.label] })
    // an account about which nothing is known is not called weaker
    expect(priceGap(similar, 150_000, new Set([factor.label]))?.worse).toEqual([`${factor.label}（未填）`])
    expect(priceGap(similar, 104_000)).toBeUndefined()
    expect(priceGap([], 104_000)).toBeUndefined()
    // what is asked for and the market's course are no properties of the account
    const outside = {
      ...similar[0]?.differences[0],
      label: '挂牌价',
      effect: 2,
    } as (typeof similar)[0]['differences'][0]
    const asked = similar.map((it) => ({ ...it, differences: [...it.differences, outside] }))
    expect(priceGap(asked, 50_000)).toEqual({ medianFen: 100_000, better: [list.label], worse: [] })
  })
})
