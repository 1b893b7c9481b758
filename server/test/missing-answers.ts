/** Tests only: what is left open is taken at the usual level, and the report says so. */
import fc from 'fast-check'
import { optionsOf } from '@/contract/form/answers'
import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { isFactor, isPriced, leafOptions } from '../engine/encode'
import type { Model, Sale, Valued } from '../engine/types'
import { valuate } from '../engine/valuate'
import { runs, SALES_UNTIL } from './arbitrary'

export interface Market {
  config: FormConfig
  sales: Sale[]
}

const optionsIn = (config: FormConfig, field: Field) =>
  leafOptions(optionsOf(config, field)).map((way) => (field.type === 'cascader' ? way.split('/') : way))

/** Tests of missing answers in a market. @param trained called when the first of them runs */
export function testMissingAnswers({ config, sales }: Market, trained: () => Model): void {
  const priced = config.fields.filter(isPriced)
  const factors = config.fields.filter((field) => isFactor(field) && field.type !== 'int')
  const accounts = sales.slice(0, 60).map(({ attributes }) => attributes)
  const worth = (answers: Answers, earlier: Answers[] = []): Valued | undefined => {
    const valued = valuate(trained(), config, answers, { now: SALES_UNTIL, source: 'TYPED', earlier })
    return valued.ok ? valued : undefined
  }
  const without = (account: Answers, keys: readonly string[]): Answers =>
    Object.fromEntries(Object.entries(account).filter(([key]) => !keys.includes(key)))
  const some = fc.subarray(
    priced.map(({ key }) => key),
    { minLength: 1 },
  )

  test('open answers are named and have a line of their own, nothing is refused for them', () => {
    fc.assert(
      fc.property(fc.constantFrom(...accounts), some, (account, left) => {
        const bare = without(account, left)
        const valued = worth(bare)
        if (!valued) throw new Error('refused')
        const { breakdown, price, confidence } = valued
        expect(breakdown.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(price.predictFen)
        const lines = breakdown.filter(({ type }) => type === 'ASSUMED')
        for (const { label, amountFen, items } of lines) {
          expect(label).toBe(`${confidence.assumed.length} 项按常见水平计`)
          expect(amountFen).toBeGreaterThan(0)
          expect(items.reduce((total, item) => total + item.amountFen, 0)).toBe(amountFen)
        }
        expect(confidence.assumed.every(({ key }) => bare[key] === undefined)).toBe(true)
        expect(confidence.reasons.includes('资料完整')).toBe(
          confidence.assumed.length === 0 && !confidence.doubts.join().includes('不清楚'),
        )
      }),
      { numRuns: runs(5, 100) },
    )
  })

  test('the price does not exceed that of an earlier valuation with more answers', () => {
    fc.assert(
      fc.property(fc.constantFrom(...accounts), some, (account, left) => {
        const [less, all] = [worth(without(account, left), [account]), worth(account)]
        if (less && all) expect(less.price.predictFen).toBeLessThanOrEqual(all.price.predictFen)
      }),
      { numRuns: runs(5, 100) },
    )
  })

  test('a multiplier without an answer counts as the worst', () => {
    if (factors.length === 0) return
    fc.assert(
      fc.property(fc.constantFrom(...accounts), fc.constantFrom(...factors), (account, field) => {
        const open = worth({ ...account, [field.key]: undefined })
        for (const answer of optionsIn(config, field)) {
          const told = worth({ ...account, [field.key]: answer })
          if (open && told) expect(open.price.predictFen).toBeLessThanOrEqual(1.01 * told.price.predictFen)
        }
      }),
      { numRuns: runs(3, 40) },
    )
  })
}
