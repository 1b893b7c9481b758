import fc from 'fast-check'
import type { Answer, Answers, Field } from '@/contract/form/types'
import { accountArb, raised, runs, SALES_UNTIL } from '../test/arbitrary'
import { testMissingAnswers } from '../test/missing-answers'
import { steppedForm as config, steppedSales } from '../test/stepped-market'
import { COMPARABLES_LABEL } from './explain'
import { train } from './train'
import type { Valued } from './types'
import { priceOfRecord, priceRange, valuate } from './valuate'

const typed = { now: SALES_UNTIL, source: 'TYPED' } as const

/** What no form sends, and what a form of another version may have sent. */
const odd = fc.constantFrom(
  ...([null, '', 'unknown', 'no option', true, -1e9, 1e308, Number.NaN, Number.POSITIVE_INFINITY] as Answer[]),
  ...([undefined, [], ['unknown'], ['no option', 'w1'], ['w1', 'w1']] as Answer[]),
  [{ v: 'no option', g: 'no grade' }],
  [{ v: 'w1', dup: Number.NaN, sig: true, refine: 1e9 }],
)
/** with a field that was added to the form after the training */
const grown = { ...config, fields: [...config.fields, { ...config.fields[0], key: 'added' } as Field] }
const keys = grown.fields.map(({ key }) => key)
const promised = config.fields.filter(({ role }) => role === 'value*' || role === 'value')

/** Fails unless every amount is a whole positive number of fen, in order, and the lines add up. */
function expectSound({ price, breakdown }: Pick<Valued, 'price'> & Partial<Valued>): void {
  const ladder = [price.lowFen, price.quickFen, price.predictFen, price.listFen, price.highFen]
  expect(ladder.filter((fen) => !Number.isSafeInteger(fen) || fen <= 0)).toEqual([])
  expect(ladder).toEqual([...ladder].sort((a, b) => a - b))
  if (!breakdown) return
  expect(breakdown.reduce((total, { amountFen }) => total + amountFen, 0)).toBe(price.predictFen)
  for (const { type, label, why, amountFen, items } of breakdown) {
    expect(Number.isSafeInteger(amountFen)).toBe(true)
    if (type === 'ASSET' || type === 'PROGRESS' || type === 'RESOURCE') expect(amountFen).toBeGreaterThanOrEqual(0)
    if (label === COMPARABLES_LABEL) expect(why).not.toMatch(amountFen > 0 ? /偏高/ : /偏低/)
    if (items.length > 0) expect(items.reduce((total, item) => total + item.amountFen, 0)).toBe(amountFen)
  }
}

/** name, steepness of the steps, sales */
const sharing: [string, number, number] = ['the formula and trees share the weight', 0.05, 300]
const deep: [string, number, number][] = [
  ['trees have most of the weight', 1, 600],
  ['the formula and trees share the weight', 0.05, 600],
]

describe.each(runs([sharing], deep))('%s', (_name, steepness, count) => {
  const sales = steppedSales(count, 1, steepness)
  const model = train(config, sales, { now: SALES_UNTIL })
  const likely = steppedSales(80, 2, steepness, 0).map(({ attributes }) => attributes)
  const account = fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...likely) }, accountArb(config))
  const priced = (answers: Answers): Valued => {
    const found = valuate(model, config, answers, typed)
    fc.pre(found.ok)
    return found as Valued
  }

  test('the model is one to which the promises apply', () => {
    const { treeWeight } = model.stack
    expect(treeWeight).toBeGreaterThan(0.2)
    expect(treeWeight).toBeLessThan(steepness < 1 ? 0.8 : 1.1)
    // the sales contradict no role: all directions are as the form promises
    const codes = model.hedonic.fields
    expect(promised.map(({ key }) => key).filter((key) => !codes.some((code) => code.key === key))).toEqual([])
    expect(codes.filter((code) => 'down' in code && code.down && code.key !== 'age')).toEqual([])
    expect(codes.filter((code) => code.kind === 'level' && !code.ranks[0]?.startsWith('w0'))).toEqual([])
    expect(new Set(codes.map((code) => (code.kind === 'list' ? code.rows : code.kind)))).toEqual(
      new Set(['number', 'level', 'flag', 'plain', 'grade', 'roster']),
    )
  })

  test('more of a main or secondary driver never lowers a price of a complete account', () => {
    const complete = likely.filter((answers) => priced(answers).confidence.assumed.length === 0)
    expect(complete.length).toBeGreaterThan(20)
    fc.assert(
      fc.property(
        fc.constantFrom(...complete),
        fc.constantFrom(...promised),
        fc.nat(),
        fc.constantFrom('lowFen', 'quickFen', 'predictFen', 'listFen', 'highFen'),
        (answers, field, chance, which) => {
          const more = raised(config, field, answers[field.key], chance)
          fc.pre(more !== undefined)
          const [before, after] = [priced(answers).price, priced({ ...answers, [field.key]: more }).price]
          expect(after[which]).toBeGreaterThanOrEqual(before[which])
        },
      ),
      { numRuns: runs(60, 4_000) },
    )
  })

  test('the lines add up to the fen, and no value field has a negative one', () => {
    fc.assert(
      fc.property(account, (answers) => expectSound(priced(answers))),
      { numRuns: runs(40, 1_000) },
    )
  })

  test('whatever the answers are, the price is a whole positive number of fen or refused', () => {
    const oddAnswers = fc.dictionary(fc.constantFrom(...keys), odd)
    fc.assert(
      fc.property(account, oddAnswers, (own, changed) => {
        const answers = { ...own, ...changed }
        const found = valuate(model, grown, answers, typed)
        if (found.ok) expectSound(found)
        else expect(found.code).toBe('SAMPLE_INSUFFICIENT')
        const record = priceOfRecord(model, grown, answers, typed)
        if (record) expectSound({ price: record })
        const range = priceRange(model, grown, answers, typed)
        expect(range === undefined || (range.lowFen > 0 && range.lowFen <= range.highFen)).toBe(true)
      }),
      { numRuns: runs(60, 2_000) },
    )
  })

  test('a field added after training changes no price; an unknown option counts as not answered', () => {
    for (const answers of likely.slice(0, 8)) {
      const before = valuate(model, config, answers, typed)
      const after = valuate(model, grown, { ...answers, added: 7 }, typed)
      if (!before.ok || !after.ok) throw new Error('refused')
      expect(after.price.predictFen).toBe(before.price.predictFen)
      for (const key of ['rank', 'colour']) {
        const [unknown, none] = ['no option', undefined].map((option) =>
          valuate(model, config, { ...answers, [key]: option }, typed),
        )
        if (!unknown?.ok || !none?.ok) throw new Error('refused')
        expect(unknown.price.predictFen).toBe(none.price.predictFen)
      }
    }
  })

  test('a record with all fields open is priced', () => {
    const price = priceOfRecord(model, config, {}, typed)
    if (!price) throw new Error('refused')
    expectSound({ price })
  })

  testMissingAnswers({ config, sales }, () => model)
})
