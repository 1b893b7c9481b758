/** Tests only: an omitted answer is never valued higher than any honest answer. */
import fc from 'fast-check'
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { isFactor, isList, isPriced, leafOptions } from '../engine/encode'
import type { Model, Sale, Valued } from '../engine/types'
import { valuate } from '../engine/valuate'
import { runs, SALES_UNTIL } from './arbitrary'

export interface Market {
  config: FormConfig
  sales: Sale[]
}

/** Answers the form allows: extremes, each option, each item sold. */
function honest(config: FormConfig, field: Field, sold: readonly (Answer | undefined)[]): Answer[] {
  const { min = 0, max = 1_000 } = field.rules
  const ends: Answer[] =
    field.type === 'int' || field.type === 'decimal'
      ? [min, max, Math.round((min + max) / 2)]
      : field.type === 'bool'
        ? [true, false]
        : isList(field)
          ? [[]]
          : leafOptions(optionsOf(config, field)).map((way) => (field.type === 'cascader' ? way.split('/') : way))
  return [...ends, ...sold.flatMap((answer) => (answer === undefined ? [] : [answer]))]
}

/** Two tests of the cost of missing answers in a market. @param trained called when the first of them runs */
export function testMissingAnswers({ config, sales }: Market, trained: () => Model): void {
  const asked = config.fields.filter((field) => isPriced(field) || isFactor(field))
  const accounts = sales.slice(0, 60).map(({ attributes }) => attributes)
  const worth = (answers: Answers): Valued | undefined => {
    const valued = valuate(trained(), config, answers, { now: SALES_UNTIL, source: 'TYPED' })
    return valued.ok ? valued : undefined
  }

  test('never pays more than any honest answer, and is told', () => {
    fc.assert(
      fc.property(fc.constantFrom(...accounts), fc.constantFrom(...asked), fc.nat(59), (account, field, from) => {
        const sold = [accounts[from]?.[field.key], account[field.key]]
        const answers = honest(config, field, sold).filter((answer) => answer !== 'unknown')
        const unanswered = worth({ ...account, [field.key]: undefined })
        if (!unanswered) return
        const unknown = worth({ ...account, [field.key]: 'unknown' })
        expect(unknown?.price.predictFen ?? 0).toBeLessThanOrEqual(unanswered.price.predictFen)
        expect(unanswered.confidence.reasons.join()).toMatch(/\d+ 项未填/)
        for (const answer of answers) {
          const told = worth({ ...account, [field.key]: answer })
          if (told) expect([answer, unanswered.price.predictFen <= told.price.predictFen]).toEqual([answer, true])
        }
      }),
      { numRuns: runs(6, 60) },
    )
  })

  test('answering more of the form never lowers the price', () => {
    const keys = asked.map(({ key }) => key)
    fc.assert(
      fc.property(fc.constantFrom(...accounts), fc.subarray(keys, { minLength: 1 }), (account, left) => {
        const bare = Object.fromEntries(Object.entries(account).filter(([key]) => !left.includes(key)))
        const [less, all] = [worth(bare), worth(account)]
        if (less && all) expect(less.price.predictFen).toBeLessThanOrEqual(all.price.predictFen)
      }),
      { numRuns: runs(10, 100) },
    )
  })
}
