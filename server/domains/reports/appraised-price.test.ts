import fc from 'fast-check'
import { type Appraisal, meanPrice, middlePrice } from './appraised-price'

const by = (name: string, priceFen: number, [low, quick, list, high] = [0.9, 0.95, 1.05, 1.1]): Appraisal => ({
  ...{ staffId: name, name, no: name, years: 1, priceFen, comment: '' },
  details: {
    ...{ lowFen: Math.round(priceFen * low), quickFen: Math.round(priceFen * quick) },
    ...{ listFen: Math.round(priceFen * list), highFen: Math.round(priceFen * high) },
    ...{ corrections: [], struck: [], checked: [] },
  },
})

test('of two the mean to the fen, with the prices around it in order', () => {
  const { price, authors } = meanPrice(by('甲', 150_000), by('乙', 170_100))
  expect(price).toEqual({ predictFen: 160_050, lowFen: 144_045, quickFen: 152_048, listFen: 168_053, highFen: 176_055 })
  expect(authors.map(({ name }) => name)).toEqual(['甲', '乙'])
  const fen = fc.integer({ min: 1, max: 1_000_000_000 })
  fc.assert(
    fc.property(fen, fen, (a, b) => {
      const { lowFen, quickFen, predictFen, listFen, highFen } = meanPrice(by('甲', a), by('乙', b)).price
      expect([lowFen, quickFen, predictFen, listFen, highFen]).toEqual(
        [lowFen, quickFen, predictFen, listFen, highFen].sort((x, y) => x - y),
      )
    }),
  )
})

test('of three the middle one, whose author comes first', () => {
  const agreed = middlePrice([by('甲', 100_000), by('乙', 200_000), by('丙', 140_000, [0.8, 0.9, 1, 1])])
  expect(agreed.price).toEqual({
    ...{ predictFen: 140_000, lowFen: 112_000, quickFen: 126_000, listFen: 140_000, highFen: 140_000 },
  })
  expect(agreed.authors.map(({ name }) => name)).toEqual(['丙'])
  expect(agreed.others.map(({ name }) => name)).toEqual(['甲', '乙'])
})
