/** Tests only: a form of four fields, and prices with steps and exceptions that the formula cannot express. */
import type { Field } from '@/contract/form/types'
import { DAY, randomOf } from '../engine/numbers'
import type { Sale } from '../engine/types'
import { game, SALES_UNTIL } from './arbitrary'

const number = (key: string, role: Field['role']): Field => ({
  ...{ key, label: key, group: 'asset', type: 'int', role, required: true, rules: { min: 0, max: 100 }, sort: 1 },
})
const options = ['red', 'green', 'blue'].map((v) => ({ v, t: v }))
export const config = {
  ...game('hok'),
  gameId: 'steps',
  crossChecks: [],
  fields: [
    number('skins', 'value*'),
    number('guns', 'value'),
    number('age', 'value-'),
    { ...number('colour', 'factor'), type: 'select' as const, options },
  ],
}

/** Prices with steps and exceptions, which no sum or product of the fields can express. */
function worth({ skins = 0, guns = 0, age = 0, colour }: Record<string, number | string>): number {
  const step = Number(skins) > 60 ? 1.2 : Number(skins) > 30 ? 0.5 : 0
  const pair = Number(skins) > 30 && Number(guns) > 50 ? 0.8 : 0
  const odd = Math.abs(Number(age) - 50) < 15 ? -0.4 : 0
  return step + pair + odd + (colour === 'red' && Number(guns) > 50 ? 0.5 : 0)
}

export function market(n: number, seed: number): Sale[] {
  const random = randomOf(seed)
  return Array.from({ length: n }, (_, i) => {
    const [skins = 0, guns = 0, age = 0] = [0, 0, 0].map(() => Math.floor(101 * random()))
    const colour = options[Math.floor(3 * random())]?.v ?? 'red'
    const log = 10 + worth({ skins, guns, age, colour }) + 0.3 * (random() - 0.5)
    return {
      ...{
        id: `s${i}`,
        gameId: 'steps',
        kind: 'SOLD',
        priceFen: Math.round(Math.exp(log)),
        at: SALES_UNTIL - (i % 200) * DAY,
      },
      attributes: { skins, guns, age, colour },
    }
  })
}
