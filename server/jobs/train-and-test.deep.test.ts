/** @group long */
import { whyRefused } from '../domains/models/acceptance'
import { DAY } from '../engine/numbers'
import type { Sale } from '../engine/types'
import { game, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { trainOnce } from '../test/models'
import type { TrainingSet } from './train-and-test'

/** Real trainings, with as few sales as show the difference, in a process of their own. */
const config = game('val')
const SINCE = SALES_UNTIL - 60 * DAY
const sold = salesOf(config, 320).filter(({ kind }) => kind === 'SOLD')
const [known, fresh] = [sold.filter(({ at }) => at < SINCE), sold.filter(({ at }) => at >= SINCE)]
let champion: string
beforeAll(async () => {
  champion = (await trainOnce({ config, sales: known, now: SINCE })).body
})

/** A training with later sales, every other one of which is compared. */
const setOf = (later: readonly Sale[], body = champion): TrainingSet => ({
  ...{ config, sales: [...known, ...later], now: SALES_UNTIL },
  champion: { body, withheld: later.flatMap(({ id }, i) => (i % 2 === 1 ? [[id, 1] as [string, number]] : [])) },
})
/** The same accounts sold again, evenly in the days from `SINCE` on, at other prices. */
const again = (n: number, factorOf: (i: number) => number) =>
  known.slice(0, n).map((sale, i): Sale => {
    const at = SINCE + ((i + 0.5) / n) * 60 * DAY
    return { ...sale, id: `again ${i}`, at, priceFen: Math.round(factorOf(i) * sale.priceFen) }
  })
const judge = async (set: TrainingSet) => {
  const { body, judgement } = await trainOnce(set)
  if (!judgement) throw new Error('not judged')
  return { body, judgement, why: whyRefused(judgement) }
}

test('prices that follow no market, and a third of false ones among honest ones, replace none', async () => {
  const random = await judge(setOf(again(120, (i) => (i % 7 === 0 ? 5 : 0.2 + ((i * 37) % 100) / 20))))
  expect(random.why).toBeDefined()
  const mixed = await judge(setOf([...fresh, ...again(60, () => 3)].sort((a, b) => a.at - b.at)))
  expect(mixed.why).toBeDefined()
  // staff may look at it all the same
  expect(mixed.body).not.toBe('')
})

test('a model that follows a market that has halved replaces the one in use', async () => {
  const { judgement, why } = await judge(setOf(again(120, () => 0.5)))
  expect(judgement.n).toBe(60)
  expect(judgement.moved).toBeGreaterThan(0.1)
  expect(why).toBeUndefined()
})
