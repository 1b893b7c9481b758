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

test('an admin gives money back; an appraiser does not', async () => {
  const [a, admin] = [await atDesk('APPRAISER', '甲'), await atDesk('ADMIN')]
  const { orderId, userId } = await paidOrder()
  const back = `/desk/orders/${orderId}`
  await a.send(`${back}/take`)
  expect((await a.send(`${back}/back`, { words: '账号信息无法核实' })).statusCode).toBe(409)
  expect((await admin.send(`${back}/back`, { words: '短' })).body).toContain('请写明理由')
  await admin.send(`${back}/back`, { words: '账号信息无法核实' })
  await server.lifecycle.jobRunner?.runAll()
  expect(await statusOf(orderId)).toBe('REFUNDED')
  expect((await admin.send(`${back}/back`, { words: '账号信息无法核实' })).statusCode).toBe(409)
  const told = await db().selectFrom('messages').select(['title', 'summary']).where('user_id', '=', userId).execute()
  const titles = ['正在退款', '退款到账']
  expect(told.map(({ title }) => title)).toEqual(expect.arrayContaining(titles))
  expect(told.find(({ title }) => title === '正在退款')?.summary).toContain('账号信息无法核实')
  const refund = await db().selectFrom('refunds').select('reason').where('order_id', '=', orderId).execute()
  expect(refund).toEqual([{ reason: '客服退款' }])
})
