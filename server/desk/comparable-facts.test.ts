import type { FormConfig } from '@/contract/form/types'
import { comparableFacts } from './comparable-facts'

const ys = require('../fixtures/games/ys.json') as FormConfig
const roster = ys.fields.find(({ type }) => type === 'roster')
const [one, another] = ys.dicts[roster?.dict ?? ''] ?? []

test('a sale is compared in every item and answer, and nothing is repeated that both have', () => {
  if (!roster || !one || !another) throw new Error('the game has no roster')
  const words = (v: string, dup: number) => ({ v, dup })
  const own = { [roster.key]: [words(one.v, 0), words(another.v, 1)], server: 'cn', uid: '100000001' }
  const sold = { [roster.key]: [words(one.v, 2), words(another.v, 1)], server: 'cn', uid: '200000002' }
  const { text } = comparableFacts(ys, own, sold)
  expect(text).toContain(`它多 ${one.t} 2命\n它没有 ${one.t} 0命`)
  expect(text).not.toContain(another.t)
  expect(text).toMatch(/相同：[^<]*服务器/)
  // what identifies an account is no business of another order's appraiser
  expect(text).not.toContain('200000002')
})
