import { setupDesk } from './desk-fixture'

const { atDesk, db, logOf, paidOrder, server, statusOf } = setupDesk()

test('an admin decides refunds and gives a reason for a refusal', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER'), await atDesk('ADMIN')]
  const orders = [await paidOrder(), await paidOrder()]
  for (const { orderId, token } of orders) {
    await appraiser.send(`/desk/orders/${orderId}/take`)
    const request = { orderId, reason: '等太久' as const }
    expect((await server.call('evaluation', 'applyCancel', request, { token })).body.data.status).toBe('REFUNDING')
    // the refund may be refused: the order is valued then, without having seen the model's price
    expect((await appraiser.see(`/desk/orders/${orderId}`)).body).not.toContain('<h2>AI 估价')
  }
  const [first, second] = orders.map(({ orderId }) => orderId) as [string, string]
  expect((await admin.see('/desk')).body).toContain('退款审核')
  expect((await appraiser.send(`/desk/orders/${first}/grant`)).statusCode).toBe(409)
  expect(await statusOf(first)).toBe('REFUNDING')
  expect((await admin.send(`/desk/orders/${second}/refuse`, { answer: '不' })).body).toContain('请写明拒绝退款的理由')
  expect((await admin.send(`/desk/orders/${second}/refuse`, { answer: '有事打 139 0000 1111' })).body).toContain(
    '联系方式',
  )
  await admin.send(`/desk/orders/${second}/refuse`, { answer: '报告即将交付，请稍候' })
  expect(await statusOf(second)).toBe('ASSIGNED')
  await admin.send(`/desk/orders/${first}/grant`)
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(first)).toBe('REFUNDED')
  expect((await logOf(first)).map(([action, who]) => [action, who])).toEqual([
    ['TAKE', appraiser.staffId],
    ['REFUND_GRANT', admin.staffId],
  ])
  expect((await logOf(second)).map(([action]) => action)).toEqual(['TAKE', 'REFUND_REFUSE'])
})

test('an admin hands an order on, opens a report again and gives money back; an appraiser does not', async () => {
  const [a, b, admin] = [await atDesk('APPRAISER', '甲'), await atDesk('APPRAISER', '乙'), await atDesk('ADMIN')]
  const { orderId, token, userId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await a.send(`${url}/take`)
  expect((await a.send(`${url}/assign`, { to: b.staffId })).statusCode).toBe(409)
  expect((await admin.send(`${url}/assign`, { to: a.staffId })).body).toContain('请选择另一位在岗的估价师')
  await admin.send(`${url}/assign`, { to: b.staffId })
  expect((await a.see(url)).statusCode).toBe(404)
  await b.deliver(url, { price: '2580', comment: '按近期成交估价，逐项核对' })

  expect((await b.send(`${url}/reopen`, { words: '短' })).body).toContain('请写明理由')
  await b.send(`${url}/reopen`, { words: '区服看错，正在更正' })
  expect(await statusOf(orderId)).toBe('REVALUING')
  const changed = '上一版看错了区服，按正确的区服重估'
  await b.deliver(url, { price: '2480', comment: '更正区服后的价格，其余不变', changed })
  const report = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  expect(report).toMatchObject({ version: 2, price: { predictFen: 248_000 } })
  // the owner's revaluation is still available
  const { actions } = (await server.call('pay', 'getInfo', { orderId }, { token })).body.data
  expect(actions).toContain('REVALUE')

  const other = await paidOrder()
  const back = `/desk/orders/${other.orderId}`
  await a.send(`${back}/take`)
  expect((await a.send(`${back}/back`, { words: '账号信息无法核实' })).statusCode).toBe(409)
  await admin.send(`${back}/back`, { words: '账号信息无法核实' })
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(other.orderId)).toBe('REFUNDED')
  expect((await admin.send(`${back}/back`, { words: '账号信息无法核实' })).statusCode).toBe(409)
  const told = await db()
    .selectFrom('messages')
    .select(['title', 'summary'])
    .where('user_id', 'in', [userId, other.userId])
    .execute()
  const titles = ['已更换估价师', '正在重新核对您的报告', '正在退款', '退款到账']
  expect(told.map(({ title }) => title)).toEqual(expect.arrayContaining(titles))
  expect(told.find(({ title }) => title === '正在退款')?.summary).toContain('账号信息无法核实')
  const refund = await db().selectFrom('refunds').select('reason').where('order_id', '=', other.orderId).execute()
  expect(refund).toEqual([{ reason: '客服退款' }])
})
