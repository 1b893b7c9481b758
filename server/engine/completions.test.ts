import type { Answers } from '@/contract/form/types'
import { games, modelOf, raised, runs, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { isPriced } from './encode'
import { share } from './numbers'
import type { Valued } from './types'
import { valuate } from './valuate'

const ENDS = ['lowFen', 'quickFen', 'predictFen', 'listFen', 'highFen'] as const

test.each(runs(games.slice(0, 3), games).map((config) => [config.gameId, config] as const))(
  'a better answer hardly ever lowers one of the five prices of an incomplete account of %s',
  (_id, config) => {
    const model = modelOf(config)
    const priced = config.fields.filter(isPriced)
    const rising = priced.filter(({ role }) => role === 'value*' || role === 'value')
    const pricesOf = (answers: Answers): Valued['price'] | undefined => {
      const found = valuate(model, config, answers, { now: SALES_UNTIL, source: 'TYPED' })
      return found.ok ? found.price : undefined
    }
    const falls = salesOf(config, runs(60, 300), 7).flatMap(({ attributes }, i) => {
      // every account lacks other answers
      const open = priced.filter((_, k) => (i >> (k % 8)) % 2 === 1).map(({ key }) => key)
      const bare = { ...attributes, ...Object.fromEntries(open.map((key) => [key, undefined])) }
      const before = pricesOf(bare)
      return rising.flatMap((field) => {
        const more = bare[field.key] === undefined ? undefined : raised(config, field, bare[field.key], i)
        const after = more === undefined ? undefined : pricesOf({ ...bare, [field.key]: more })
        return before && after ? [Math.max(...ENDS.map((end) => 1 - after[end] / before[end]))] : []
      })
    })
    expect(falls.length).toBeGreaterThan(60)
    expect(share(falls, (fall) => fall > 0.01)).toBeLessThan(0.02)
    expect(Math.max(...falls)).toBeLessThan(0.2)
  },
)
