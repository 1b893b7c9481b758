import type { Field, FormConfig } from '@/contract/form/types'
import { createRng } from '../fixtures/synthetic/random'
import { game, salesOf } from '../test/arbitrary'
import { designMatrix } from './design-matrix'
import { layoutOf } from './feature-layout'
import { fitHedonic } from './fit'
import { applyHedonic } from './hedonic'
import { fitDirections } from './monotonicity'
import { objectiveOf } from './objective'
import { paramsOf } from './params'
import type { Observed } from './types'

const fitted = (config: FormConfig, sales: readonly Observed[]) =>
  fitHedonic(config, sales, layoutOf(config, sales, fitDirections(config, sales)))

test.each(['ys', 'delta', 'hok'])('the gradient of the fit is that of its value (%s)', (id) => {
  const sales = salesOf(game(id), 60)
  const layout = layoutOf(game(id), sales)
  const table = designMatrix(layout, sales)
  const params = paramsOf(layout, table)
  const rng = createRng(3)
  const f = objectiveOf(table, params, 0.3, new Float64Array(table.n))
  const x = params.priorMean.map((centre) => centre + 0.2 * rng.normal())
  const gradient = new Float64Array(x.length)
  f(x, gradient)
  const scratch = new Float64Array(x.length)
  for (let k = 0; k < x.length; k++) {
    const valueAt = (step: number) =>
      f(
        Float64Array.from(x, (v, j) => (j === k ? v + step : v)),
        scratch,
      )
    const slope = (valueAt(1e-5) - valueAt(-1e-5)) / 2e-5
    expect(Math.abs(slope - (gradient[k] ?? 0))).toBeLessThan(1e-5 * (1 + Math.abs(slope)))
  }
})

test('a long ladder of ranks may have diminishing returns beside a field that is proportional', () => {
  const field = { label: '', group: 'g', role: 'value', required: true } as const
  const options = Array.from({ length: 24 }, (_, i) => ({ v: `r${i}`, t: `r${i}` }))
  const fields: Field[] = [
    { ...field, key: 'rank', type: 'select', rules: {}, options, sort: 1 },
    { ...field, key: 'skins', type: 'int', rules: { min: 0, max: 200 }, sort: 2 },
  ]
  const worth = (rank: number, skins: number) => Math.log(10_000 * (0.2 + Math.sqrt(rank / 23) + skins / 50))
  const rng = createRng(9)
  const sales: Observed[] = Array.from({ length: 480 }, (_, i) => {
    const skins = Math.floor(100 * rng.next())
    return {
      ...{ kind: 'SOLD', priceFen: Math.exp(worth(i % 24, skins) + 0.05 * rng.normal()), at: i * 86_400_000 },
      attributes: { rank: `r${i % 24}`, skins },
    }
  })
  const hedonic = fitted({ ...game('hok'), fields }, sales)
  const off = ({ rank, skins }: { rank: number; skins: number }) =>
    applyHedonic(hedonic, { rank: `r${rank}`, skins }, 'average').logValue - worth(rank, skins)
  const few = [0, 1, 2, 4, 8, 16, 23].map((rank) => Math.abs(off({ rank, skins: 10 })))
  expect(Math.max(...few)).toBeLessThan(0.07)
})

const number = (key: string): Field => ({
  ...{ key, label: '', group: 'g', type: 'int', role: 'value', required: true, rules: { min: 0, max: 400 }, sort: 1 },
})
const sold = (attributes: Observed['attributes'], worth: number, i: number, noise: number): Observed => ({
  ...{ kind: 'SOLD', priceFen: 10_000 * worth * Math.exp(0.05 * noise), at: i * 43_200_000, attributes },
})

test('sales of negligible weight change nothing, however wrong', () => {
  const rng = createRng(10)
  const config = { ...game('hok'), fields: ['skins', 'guns'].map(number) }
  const honest = Array.from({ length: 300 }, (_, i) => {
    const [skins = 0, guns = 0] = [0, 0].map(() => Math.floor(100 * rng.next()))
    const gap = i % 7 === 0 ? {} : { guns }
    return sold({ skins, ...gap }, 0.2 + skins / 50 + guns / 50, i, rng.normal())
  })
  const wrong = honest.map((sale, i): Observed => {
    const attributes = i % 2 === 0 ? { skins: 400 } : { skins: 3, guns: 400 }
    return { ...sale, attributes, priceFen: sale.priceFen * Math.exp(-3), weight: 1e-6 }
  })
  const [before, after] = [honest, [...honest, ...wrong]].map((sales) => fitted(config, sales))
  if (!before || !after) throw new Error('two formulas')
  for (const answers of [{ skins: 5, guns: 60 }, { skins: 90, guns: 90 }, { skins: 50 }]) {
    const [own = 0, other = 1] = [before, after].map((formula) => applyHedonic(formula, answers, 'average').logValue)
    expect(other).toBeCloseTo(own, 1)
  }
})

test('multipliers of the whole value are fitted beside fields that add to it', () => {
  const config = { ...game('hok'), fields: ['skins', 'guns', 'coins'].map(number) }
  const worth = (skins: number, guns: number, coins: number) => (0.2 + skins / 50 + coins / 50) * (1 + guns / 50)
  const rng = createRng(11)
  const sales = Array.from({ length: 900 }, (_, i) => {
    const [skins = 0, guns = 0, coins = 0] = [0, 0, 0].map(() => Math.floor(100 * rng.next()))
    return sold({ skins, guns, coins }, worth(skins, guns, coins), i, rng.normal())
  })
  const hedonic = fitted(config, sales)
  const corners = [10, 50, 90].flatMap((skins) =>
    [10, 50, 90].flatMap((guns) => [10, 90].map((coins) => [skins, guns, coins])),
  )
  const off = corners.map(([skins = 0, guns = 0, coins = 0]) =>
    Math.abs(
      applyHedonic(hedonic, { skins, guns, coins }, 'worst').logValue - Math.log(10_000 * worth(skins, guns, coins)),
    ),
  )
  expect(Math.max(...off)).toBeLessThan(0.035)
})

test('a missing answer in a record is imputed from accounts with similar other answers', () => {
  const config = { ...game('hok'), fields: ['skins', 'guns', 'coins'].map(number) }
  const worth = (skins: number, guns: number, coins: number) => 0.2 + skins / 50 + guns / 50 + coins / 50
  const rng = createRng(12)
  const sales = Array.from({ length: 900 }, (_, i) => {
    const [skins = 0, coins = 0] = [0, 0].map(() => Math.floor(100 * rng.next()))
    // guns are correlated with skins, not with coins
    const guns = Math.max(0, Math.round(skins + 4 * rng.normal()))
    return sold({ skins, coins, ...(i % 5 === 0 ? {} : { guns }) }, worth(skins, guns, coins), i, rng.normal())
  })
  const hedonic = fitted(config, sales)
  const off = [20, 50, 80].flatMap((skins) =>
    [10, 90].map((coins) =>
      Math.abs(
        applyHedonic(hedonic, { skins, coins }, 'average').logValue - Math.log(10_000 * worth(skins, skins, coins)),
      ),
    ),
  )
  expect(Math.max(...off)).toBeLessThan(0.06)
})

test('a text and a list have an effect in any role', () => {
  const field = { label: '', group: 'g', required: true, rules: {}, sort: 1 } as const
  const fields: Field[] = [
    { ...number('skins'), rules: {} },
    { ...field, key: 'district', type: 'text', role: 'value' },
    { ...field, key: 'extras', type: 'multi', role: 'factor', options: ['a', 'b'].map((v) => ({ v, t: v })) },
  ]
  const config = { ...game('hok'), fields }
  const rng = createRng(14)
  const sales = Array.from({ length: 400 }, (_, i) => {
    const skins = Math.floor(100 * rng.next())
    const [district, extras] = [i % 2 === 0 ? 'north' : 'south', i % 3 === 0 ? ['a'] : ['b']]
    const worth = (1 + skins / 50 + (i % 3 === 0 ? 1 : 0)) * (i % 2 === 0 ? 1.5 : 1)
    return sold({ skins, district, extras }, worth, i, rng.normal())
  })
  const hedonic = fitted(config, sales)
  const worth = (district: string, extra: string) =>
    applyHedonic(hedonic, { skins: 50, district, extras: [extra] }, 'average').logValue
  expect(worth('north', 'a') - worth('south', 'a')).toBeGreaterThan(0.3)
  expect(worth('north', 'a') - worth('north', 'b')).toBeGreaterThan(0.25)
})
