import fc from 'fast-check'
import { priceLabels } from './priceLabels'

const price = { predictFen: 232_269, lowFen: 193_000, highFen: 279_000, quickFen: 198_000, listFen: 256_000 }

test('close prices share a label', () => {
  const names = (quickFen: number, listFen: number) =>
    priceLabels({ ...price, quickFen, listFen }, [3, 7]).map(({ name }) => name)
  expect(names(198_000, 256_000)).toEqual(['快速出手', '参考', '建议挂牌'])
  expect(names(230_000, 256_000)).toEqual(['快速出手·参考', '建议挂牌'])
  expect(names(231_000, 233_000)).toEqual(['快速出手·参考·建议挂牌'])
})

test('labels have room to each other and to the ends, in the order of their ticks', () => {
  const within = fc.integer({ min: 193_000, max: 279_000 })
  fc.assert(
    fc.property(fc.tuple(within, within, within), (three) => {
      const [quickFen = 0, predictFen = 0, listFen = 0] = [...three].sort((a, b) => a - b)
      const labels = priceLabels({ ...price, quickFen, predictFen, listFen }, undefined)
      for (const [i, { place }] of labels.entries()) {
        expect(place).toBeGreaterThanOrEqual(18)
        expect(place).toBeLessThanOrEqual(82)
        if (i > 0) expect(place - (labels[i - 1]?.place ?? 0)).toBeGreaterThanOrEqual(18 - 1e-9)
      }
    }),
  )
})
