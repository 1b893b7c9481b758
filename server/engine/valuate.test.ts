import fc from 'fast-check'
import type { Answers, FormConfig } from '@/contract/form/types'
import { accountArb, extremeAccount, games, modelOf, raised, runs, SALES_UNTIL, salesOf } from '../test/arbitrary'
import type { Valued } from './types'
import { valuate } from './valuate'

const typed = { now: SALES_UNTIL, source: 'TYPED' } as const

/** The valuation of an account; fails if it is refused (refusals are tested elsewhere). */
function priced(config: FormConfig, account: Answers): Valued {
  const valued = valuate(modelOf(config), config, account, typed)
  fc.pre(valued.ok)
  return valued as Valued
}

describe.each(games.map((config) => [config.gameId, config] as const))('valuation of %s', (_id, config) => {
  test('the lines add up to the price to the fen, and the prices are ordered', () => {
    fc.assert(
      fc.property(
        fc.oneof(accountArb(config), fc.constantFrom(...salesOf(config, 40, 9).map((s) => s.attributes))),
        (account) => {
          const { price, breakdown, topItems, comparables, percentile, confidence } = priced(config, account)
          expect(breakdown.reduce((total, line) => total + line.amountFen, 0)).toBe(price.predictFen)
          for (const { items, amountFen } of breakdown.filter((line) => line.items.length > 0))
            expect(items.reduce((total, item) => total + item.amountFen, 0)).toBe(amountFen)
          const ladder = [price.lowFen, price.quickFen, price.predictFen, price.listFen, price.highFen]
          expect(ladder).toEqual([...ladder].sort((a, b) => a - b))
          expect([...ladder, ...breakdown.map((line) => line.amountFen)].every(Number.isSafeInteger)).toBe(true)
          expect(breakdown.every((line) => line.why !== '' && !/NaN|undefined/.test(line.label + line.why))).toBe(true)
          expect(comparables.length).toBeGreaterThanOrEqual(5)
          expect(comparables.length).toBeLessThanOrEqual(8)
          expect(topItems.length).toBeLessThanOrEqual(5)
          const wide = price.highFen - price.lowFen > price.predictFen / 2
          expect([wide, confidence.level]).not.toEqual([true, 'HIGH'])
          expect(percentile >= 0 && percentile <= 1 && confidence.score >= 0 && confidence.score <= 100).toBe(true)
        },
      ),
      { numRuns: runs(10, 200) },
    )
  })

  test('more of a main or secondary driver lowers no price of a complete account', () => {
    const likely = salesOf(config, 60, 7).map((sale) => sale.attributes)
    const steps = config.fields.filter(({ role }) => role === 'value*' || role === 'value')
    fc.assert(
      fc.property(fc.constantFrom(...likely), fc.constantFrom(...steps), fc.nat(), (account, field, chance) => {
        const more = raised(config, field, account[field.key], chance)
        const { price: before, confidence } = priced(config, account)
        fc.pre(more !== undefined && confidence.assumed.length === 0)
        const { price: after } = priced(config, { ...account, [field.key]: more })
        for (const key of ['lowFen', 'quickFen', 'predictFen', 'listFen', 'highFen'] as const)
          expect([key, after[key] >= before[key]]).toEqual([key, true])
      }),
      { numRuns: runs(15, 500) },
    )
  })
})

describe.each(games.map((config) => [config.gameId, config] as const))('absurd accounts of %s', (_id, config) => {
  const [plain = {}] = salesOf(config, 1).map(({ attributes }) => attributes)
  const [least, most] = [extremeAccount(config, 'least'), extremeAccount(config, 'most')]
  const server = config.fields.find(({ role }) => role === 'factor')?.key ?? ''
  // the largest possible parts with the smallest possible total
  const contradiction = (config.crossChecks ?? []).flatMap(({ parts, whole }) => [
    [whole, least[whole]],
    ...parts.map((key) => [key, most[key]]),
  ])

  test.each<[string, Answers]>([
    ['nothing at all', {}],
    ['all at the least', least],
    ['all at the most', most],
    ['an unknown server', { ...plain, [server]: 'moon' }],
    ['one thing only', { ...least, [config.fields.find(({ role }) => role === 'value*')?.key ?? '']: Number.NaN }],
    ...(contradiction.length > 0
      ? [['a contradiction', { ...plain, ...Object.fromEntries(contradiction) }] as [string, Answers]]
      : []),
  ])('%s: a refusal, or LOW confidence with the reason and a price that was paid before', (_name, account) => {
    const valued = valuate(modelOf(config), config, account, { now: SALES_UNTIL, source: 'AUTH' })
    if (!valued.ok) return
    const [reason = ''] = valued.confidence.reasons
    expect(valued.confidence.level).toBe('LOW')
    expect(reason).toMatch(/超出已有成交|低于已有成交|超出成交过|前后不一致|不在可选范围|几乎没有填写|很少有相近/)
    const { percentiles } = modelOf(config)
    const [cheapest = 0, dearest = 0] = [percentiles[0], percentiles.at(-1)].map((log = 0) => Math.exp(log))
    expect(valued.price.predictFen).toBeGreaterThanOrEqual(cheapest / 2)
    expect(valued.price.predictFen).toBeLessThanOrEqual(1.15 * dearest)
  })
})
