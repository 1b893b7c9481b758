import { whyRefused } from '../domains/models/acceptance'
import { readModel, writeModel } from '../domains/models/model-text'
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
const judge = async (set: TrainingSet) => {
  const { body, judgement } = await trainOnce(set)
  if (!judgement) throw new Error('not judged')
  return { body, judgement, why: whyRefused(judgement) }
}

test('a model of later sales of the same market replaces the one in use', async () => {
  const { judgement, why } = await judge(setOf(fresh))
  expect(judgement).toMatchObject({ n: Math.floor(fresh.length / 2), moved: expect.any(Number) })
  expect(judgement.moved).toBeLessThan(0.1)
  expect(why).toBeUndefined()
})

test('a model in use that can price nothing is replaced', async () => {
  const empty = writeModel({ ...(await readModel(champion)), sales: [] })
  const { judgement, why } = await judge(setOf(fresh, empty))
  expect(judgement).toMatchObject({ n: 0, moved: 0 })
  expect(why).toBeUndefined()
})
