import fc from 'fast-check'
import { optionsOf } from '@/contract/form/answers'
import type { Answer, Answers, Field } from '@/contract/form/types'
import { game, modelOf, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { answerOf, leafOptions } from './encode'
import { applyHedonic } from './hedonic'
import { distanceApart } from './offsetting'
import { distancesTo, packSales } from './similarity'
import { similarity } from './similarity-scale'

const config = game('hok')
const model = modelOf(config)
const { hedonic } = model
const accounts = salesOf(config, 40).map(({ attributes }) => attributes)
const factors = config.fields.filter(({ key }) => hedonic.factors.some((factor) => factor.key === key))

const sideOf = (answers: Answers) => ({ answers, value: applyHedonic(hedonic, answers, 'average') })

/** Both distances of two accounts. */
function distances(mine: Answers, theirs: Answers): { net: number; apart: number } {
  const [own, other] = [sideOf(mine), sideOf(theirs)]
  const sale = { ...other.value, kind: 'SOLD' as const, at: SALES_UNTIL, residual: 0, missingInflation: 0 }
  const [net = 0] = distancesTo(
    own.value,
    packSales([sale], ({ index }) => index),
    hedonic.power,
    SALES_UNTIL,
  )
  return { net, apart: distanceApart(hedonic, net, own, other) }
}

const effectOf = (answers: Answers, key: string) =>
  sideOf(answers).value.factors.find((factor) => factor.key === key)?.effect ?? 0

/** The account with the answer to a factor that is worth most or least. */
function withFactor(account: Answers, field: Field, best: boolean): Answers {
  const ways = leafOptions(optionsOf(config, field)).map(
    (way): Answer => (field.type === 'cascader' ? way.split('/') : way),
  )
  const answers = ways.map((answer): Answers => ({ ...account, [field.key]: answer }))
  answers.sort((a, b) => effectOf(a, field.key) - effectOf(b, field.key))
  return answers.at(best ? -1 : 0) ?? account
}

test('each further condition that differs makes accounts less alike, also where it makes up for another in the price', () => {
  fc.assert(
    fc.property(fc.constantFrom(...accounts), fc.infiniteStream(fc.boolean()), (account, best) => {
      let theirs = account
      let before = 0
      for (const field of factors) {
        if (typeof answerOf(account, field.key) === 'number') continue
        theirs = withFactor(theirs, field, best.next().value)
        const { net, apart } = distances(account, theirs)
        expect(apart).toBeGreaterThanOrEqual(net)
        expect(apart).toBeGreaterThanOrEqual(before - 1e-9)
        before = apart
      }
    }),
    { numRuns: 40 },
  )
})

test('an account that differs in two conditions and ten skins is less similar than one that differs in a condition', () => {
  const [worse, better] = [...factors].sort((a, b) => span(b) - span(a)).slice(0, 2) as [Field, Field]
  const list = hedonic.fields.find((code) => code.kind === 'list' && code.rows === 'plain' && code.items.length >= 20)
  if (list?.kind !== 'list') throw new Error('no list of twenty items')
  const [ten, others] = [list.items.slice(0, 10), list.items.slice(10, 20)]
  const start = { ...accounts[0], [list.key]: ten }
  const mine = withFactor(withFactor(start, worse, true), better, false)
  const one = withFactor(mine, worse, false)
  const two = withFactor(one, better, true)
  const all = { ...two, [list.key]: others }
  const shown = (theirs: Answers) => similarity(model.similarity, distances(mine, theirs).apart, 0)
  // what is alike in the price alone: the two conditions make up for each other
  expect(distances(mine, two).net).toBeLessThan(distances(mine, one).net)
  const similarities = [mine, one, two, all].map(shown)
  expect(similarities).toEqual([...new Set(similarities)].sort((a, b) => b - a))
})

/** Difference of a factor's best and worst answer (log). */
function span(field: Field): number {
  const [account = {}] = accounts
  return effectOf(withFactor(account, field, true), field.key) - effectOf(withFactor(account, field, false), field.key)
}

test('swapped items of equal worth are a difference, the same ones are none', () => {
  const list = hedonic.fields.find((code) => code.kind === 'list' && code.rows === 'plain')
  if (list?.kind !== 'list') throw new Error('no list')
  const account = { ...accounts[0], [list.key]: list.items.slice(0, 5) }
  expect(distances(account, account).apart).toBeCloseTo(0)
  const reversed = { ...account, [list.key]: [...list.items.slice(0, 5)].reverse() }
  expect(distances(account, reversed).apart).toBeCloseTo(0)
  const swapped = distances(account, { ...account, [list.key]: list.items.slice(5, 10) })
  expect(swapped.apart).toBeGreaterThan(swapped.net)
})
