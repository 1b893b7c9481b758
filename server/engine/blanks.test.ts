import fc from 'fast-check'
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field, FormConfig } from '@/contract/form/types'
import { game, runs, salesOf, UNTIL } from '../test/arbitrary'
import { cards, cars, houses, oddMarket } from '../test/worlds'
import { isFactor, isList, isPriced, paths } from './encode'
import { train } from './train'
import type { Sale, Valued } from './types'
import { valuate } from './valuate'

const typed = { now: UNTIL, source: 'TYPED' } as const
const shipped = (id: string, seed: number) => ({ config: game(id), sales: salesOf(game(id), 150, seed) })

/** The eight games in markets of different seeds, markets of other goods, and forms made up at random. */
const markets: [string, () => { config: FormConfig; sales: Sale[] }][] = [
  ['delta', () => shipped('delta', 1)],
  ['hok', () => shipped('hok', 2)],
  ['hsr', () => shipped('hsr', 3)],
  ['lolm', () => shipped('lolm', 4)],
  ['naraka', () => shipped('naraka', 5)],
  ['pubgm', () => shipped('pubgm', 6)],
  ['val', () => shipped('val', 7)],
  ['ys', () => shipped('ys', 8)],
  ['cars, where more is worth less', () => cars(300, UNTIL, 0.1)],
  ['houses', () => houses(150, UNTIL)],
  ['cards', () => cards(150, UNTIL)],
  ...[1, 2, 3, 4].map((seed): [string, () => { config: FormConfig; sales: Sale[] }] => [
    `a form made up at random, ${seed}`,
    () => oddMarket(150, UNTIL, seed),
  ]),
]

/** Answers the form allows: the ends, each option, each thing sold. */
function honest(config: FormConfig, field: Field, sold: readonly (Answer | undefined)[]): Answer[] {
  const { min = 0, max = 1_000 } = field.rules
  const ends: Answer[] =
    field.type === 'int' || field.type === 'decimal'
      ? [min, max, Math.round((min + max) / 2)]
      : field.type === 'bool'
        ? [true, false]
        : isList(field)
          ? [[]]
          : paths(optionsOf(config, field)).map((way) => (field.type === 'cascader' ? way.split('/') : way))
  return [...ends, ...sold.flatMap((answer) => (answer === undefined ? [] : [answer]))]
}

describe.each(markets)('what is left out in %s', (_name, open) => {
  const { config, sales } = open()
  const model = train(config, sales, { now: UNTIL })
  const asked = config.fields.filter((field) => isPriced(field) || isFactor(field))
  const accounts = sales.slice(0, 60).map(({ attributes }) => attributes)
  const worth = (answers: Answers): Valued | undefined => {
    const valued = valuate(model, config, answers, typed)
    return valued.ok ? valued : undefined
  }

  test('never pays more than any honest answer, and is told', () => {
    fc.assert(
      fc.property(fc.constantFrom(...accounts), fc.constantFrom(...asked), fc.nat(59), (account, field, from) => {
        const sold = [accounts[from]?.[field.key], account[field.key]]
        const answers = honest(config, field, sold).filter((answer) => answer !== 'unknown')
        const blank = worth({ ...account, [field.key]: undefined })
        if (!blank) return
        const unknown = worth({ ...account, [field.key]: 'unknown' })
        expect(unknown?.price.predictFen ?? 0).toBeLessThanOrEqual(blank.price.predictFen)
        expect(blank.confidence.reasons.join()).toMatch(/\d+ 项未填/)
        for (const answer of answers) {
          const told = worth({ ...account, [field.key]: answer })
          if (told) expect([answer, blank.price.predictFen <= told.price.predictFen]).toEqual([answer, true])
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
})
