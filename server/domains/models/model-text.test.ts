import { train } from '../../engine/train'
import { game, SALES_UNTIL, salesOf } from '../../test/arbitrary'
import { readModel, writeModel } from './model-text'

const small = train(game('lolm'), salesOf(game('lolm'), 5), { now: SALES_UNTIL })
const sales = Array.from({ length: 900 }, (_, i) => small.sales.slice(i % 5, (i % 5) + 1)).flat()

test.each([{ ...small, sales: [] }, small, { ...small, sales }])(
  'a model is the same after writing and reading',
  async (model) => {
    expect(await readModel(writeModel(model))).toEqual(model)
  },
)

test('a truncated text is rejected', async () => {
  await expect(readModel(writeModel(small).slice(0, -9))).rejects.toThrow()
})
