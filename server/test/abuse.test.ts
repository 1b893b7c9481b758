import type { FormConfig } from '@/contract/form/types'
import type { Req } from '@/contract/types'
import { createStore, type Store, someAnswers, startServer, type TestServer } from './harness'
import { adult, advance, configOf, manualWish, paid, report } from './orders'

jest.setTimeout(180_000)

/** Ways to get more than was paid for, each found by somebody who tried. */
const DAY = 86_400_000
let store: Store
let server: TestServer
let config: FormConfig
beforeAll(async () => {
  store = await createStore()
  server = await startServer({ store, games: ['val'] })
  config = await configOf(server, 'val')
})
afterAll(async () => {
  await server.close()
  store.remove()
})
beforeEach(() => server.clock.advance(2 * DAY))

let next = 13_300_000_000
const submission = (skip = 0): Req<'evaluation', 'submitAi'> => ({
  gameId: config.gameId,
  schemaVersion: config.schemaVersion,
  answers: someAnswers(config, skip),
  source: 'TYPED',
})

test('a bad word about a report that cost nothing buys no other', async () => {
  const { token } = await server.login(String(next++))
  const { orderId } = (await server.call('evaluation', 'submitAi', submission(), { token })).body.data
  const said = { orderId, score: 1, accuracy: 'LOW' as const }
  await server.call('evaluation', 'saveEvaluation', said, { token })
  const { list } = (await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, { token })).body.data
  expect(list.filter(({ name }) => name.includes('复估'))).toEqual([])
})

test('a manual re-check is for the account that was paid for', async () => {
  const { token } = await adult(server, String(next++))
  const { orderId } = (await server.call('evaluation', 'submitManual', manualWish(config), { token })).body.data
  await server.call('pay', 'payment', { orderId, payType: 'ALI_WAP' }, { token })
  await paid(server, orderId)
  await report(server, { orderId, priceFen: 100_000, comment: '按近期成交估价' })
  const text = config.fields.filter(({ type }) => type === 'int').map(({ key }) => key)
  const other = someAnswers(config, 25)
  const changed = Object.fromEntries(
    Object.entries(other).map(([key, value]) => [key, text.includes(key) ? Number(value ?? 0) + 1 : value]),
  )
  const again = await server.call(
    'evaluation',
    'submitManual',
    { ...manualWish(config, 25), orderId, answers: changed },
    { token },
  )
  expect(again.status).toBe(400)
  expect(JSON.stringify(again.body.data)).toContain('复估只针对原来的账号')
  await advance(server, 1)
  const order = (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  expect(order.status).toBe('REPORTED')
})

test('a price that nobody can have had is refused, not an error of ours', async () => {
  const { token } = await server.login(String(next++))
  const { orderId } = (await server.call('evaluation', 'submitAi', submission(1), { token })).body.data
  const said = { orderId, score: 5, accuracy: 'FAIR', tags: [], content: '', images: [], anonymous: false }
  const answer = await server.send(
    'POST',
    '/app-api/api/evaluate/user/order/save/valuation/evaluation',
    { ...said, soldFen: 1e300 },
    { token },
  )
  expect(answer.status).toBe(400)
})

test("pictures among an AI valuation's answers are the user's own", async () => {
  const field = config.fields.find(({ type }) => type === 'image')
  if (!field) throw new Error('no picture field')
  const { token } = await server.login(String(next++))
  const wish = submission(2)
  const answers = { ...wish.answers, [field.key]: ['../../../../etc/passwd'] }
  const answer = await server.call('evaluation', 'submitAi', { ...wish, answers }, { token })
  expect(answer.status).toBe(400)
})
