/** A process without a payment provider that others have, as during the rollout of a release that adds one. */
import type { FormConfig } from '@/contract/form/types'
import { createPayProviders } from '../../providers/pay/providers'
import { insertGames } from '../games'
import { setupServer } from '../harness'
import { adult, advance, paid } from '../orders'
import { manualOrderRequest } from './requests'

const HOUR = 3_600_000
let config: FormConfig
const lines: string[] = []
const db = () => server.database.db
const server = setupServer({ env: { DEMO_APPRAISER: '0' }, onLog: (line) => lines.push(line) })
beforeAll(async () => {
  config = (await insertGames(db())).find(({ gameId }) => gameId === 'val') as FormConfig
})

const said = () => lines.map((line) => JSON.parse(line)).filter(({ msg }) => String(msg).includes('does not have'))

test('due rows of the provider are left to other processes; this is not a failure, is logged once an hour and shown', async () => {
  const { token } = await adult(server, '13300000001')
  const order = async () =>
    (await server.call('evaluation', 'submitManual', manualOrderRequest(config), { token })).body.data.orderId
  const pay = (orderId: string) =>
    server.call('pay', 'payment', { orderId, payType: 'ALI_WAP', consent: true, couponId: '' }, { token })
  const bought = await order()
  await pay(bought)
  await paid(server, bought)
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { pay: own } = deps.providers
  deps.providers.pay = createPayProviders({ ...deps.settings, sandbox: false })

  // the rule for late orders refunds it
  await advance(server, 72 * HOUR)
  const refund = async () =>
    db().selectFrom('refunds').select(['status', 'tries', 'next_at']).where('order_id', '=', bought).executeTakeFirst()
  expect(await refund()).toMatchObject({ status: 'PENDING', tries: 0 })
  for (let i = 0; i < 4; i += 1) await advance(server, 5 * 60_000)
  expect(await refund()).toMatchObject({ status: 'PENDING', tries: 0 })
  expect(await db().selectFrom('job_failures').selectAll().execute()).toEqual([])
  expect(said()).toMatchObject([{ level: 40, provider: 'sandbox', refunds: 1 }])
  await advance(server, HOUR)
  expect(said()).toHaveLength(2)

  deps.providers.pay = own
  await server.lifecycle.jobRunner?.runAll()
  expect(await refund()).toMatchObject({ status: 'DONE', tries: 1 })
})
