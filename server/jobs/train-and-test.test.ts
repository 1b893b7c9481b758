import { readModel, writeModel } from '../domains/models/model-text'
import { DAY } from '../engine/numbers'
import type { Sale } from '../engine/types'
import { game, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { trainOnce } from '../test/models'
import { type TrainingSet, trainAndTest } from './train-and-test'

/**
 * Real trainings, with as few sales as show the difference. Whole ones are done by a process of their own, because
 * arithmetic is several times slower in jest's sandbox.
 */
const config = game('val')
const SINCE = SALES_UNTIL - 60 * DAY
const sold = salesOf(config, 320).filter(({ kind }) => kind === 'SOLD')
const [known, fresh] = [sold.filter(({ at }) => at < SINCE), sold.filter(({ at }) => at >= SINCE)]
const idsOf = (sales: readonly Sale[]) => sales.map(({ id }) => id)
let champion: string
beforeAll(async () => {
  champion = (await trainOnce({ config, sales: known, now: SINCE, want: 'model' })).body
})

/** A training with later sales, the newest of which are the test set. */
const setOf = (later: readonly Sale[], tested: readonly Sale[], body = champion): TrainingSet => ({
  ...{ config, sales: [...known, ...later], now: SALES_UNTIL, want: 'model' },
  champion: { body, testSet: idsOf(tested), excluded: idsOf(tested) },
})
/** The same accounts sold again, evenly in the days from `SINCE` on, at other prices. */
const again = (n: number, days: number, factor: number) =>
  known.slice(0, n).map((sale, i): Sale => {
    const at = SINCE + ((i + 0.5) / n) * days * DAY
    return { ...sale, id: `again ${i}`, at, priceFen: Math.round(factor * sale.priceFen) }
  })

test('a model that learned false prices predicts the honest ones after them worse, and is not trained to the end', async () => {
  const honest = fresh.filter(({ at }) => at > SINCE + 5 * DAY)
  const { body, comparison } = await trainAndTest(setOf([...again(60, 5, 3), ...honest], honest))
  expect(comparison?.n).toBe(honest.length)
  expect(comparison?.challenger).toBeGreaterThan((comparison?.champion ?? 1) + (comparison?.standardError ?? 1))
  expect(body).toBe('')
})

test('a model that follows a fallen market predicts its newest sales better', async () => {
  const fallen = again(120, 60, 0.6)
  const { body, comparison } = await trainOnce(setOf(fallen, fallen.slice(60)))
  expect(comparison?.n).toBe(60)
  expect(comparison?.challenger).toBeLessThan((comparison?.champion ?? 0) - 0.2)
  expect(body).not.toBe('')
})

test('sales that the model in use cannot price compare nothing', async () => {
  const empty = writeModel({ ...(await readModel(champion)), sales: [] })
  const { body, comparison } = await trainOnce(setOf(fresh, fresh, empty))
  expect(comparison).toBeUndefined()
  expect(body).not.toBe('')
})

test('a partner whose sales would move prices is named, and nothing is trained', async () => {
  const own = again(120, 60, 1.5)
  const partner = { partnerId: 'p', name: 'p', ids: idsOf(own), unchecked: idsOf(own) }
  const set = { ...setOf(own, own), doubted: { partners: [partner], judges: idsOf(known) } }
  expect(await trainAndTest(set)).toEqual({ body: '', influence: expect.objectContaining({ partnerId: 'p' }) })
})
