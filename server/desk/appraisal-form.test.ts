import type { FormConfig } from '@/contract/form/types'
import { deliveryForm } from './appraisal-form'
import type { LoadedOrder } from './order'

const hok = require('../fixtures/games/hok.json') as FormConfig

const comparable = (id: string, adjFen: number) => ({ id, kind: 'SOLD', adjFen, priceFen: adjFen, at: 0, diff: [] })
const formWith = (images: string[]) => {
  const loaded = {
    ...{ config: hok, versions: [], estimate: { firstFen: 100_000, draft: {}, draftAt: null } },
    order: { id: 'o1', status: 'ASSIGNED', level: 'STD', answers: {}, images },
    valued: {
      price: { predictFen: 100_000 },
      breakdown: [],
      comparables: [comparable('usual', 110_000), comparable('tenfold', 1_000_000)],
    },
  }
  return deliveryForm(loaded as unknown as LoadedOrder, {}, 'A1').text
}

test('a sale far from the model’s price is marked in the form as it is beside it', () => {
  const [usual = '', tenfold = ''] = formWith([]).split('<div class="note-row">').slice(1)
  expect(usual).toContain('成交 ¥1,100')
  expect(usual).not.toContain('异常成交')
  expect(tenfold).toContain('异常成交 ¥10,000')
})

test('the checklist asks about pictures only where the order has some', () => {
  expect(formWith(['uploads/u1/a'])).toContain('截图属于这个账号')
  expect(formWith([])).not.toContain('截图属于这个账号')
})
