import { PASSWORD, setupDesk } from './desk-fixture'
import { manualRequest } from './orders'

const { atDesk, config, db, paidOrder, post, server } = setupDesk()

test('an admin adds, resets and closes accounts; a closed one is out at once', async () => {
  const [admin, other] = [await atDesk('ADMIN'), await atDesk('APPRAISER')]
  const made = await admin.send('/desk/staff', { name: 'newcomer', nick: '小新', role: 'APPRAISER', years: '2' })
  expect(made.body).toMatch(/<code>[2-9A-Z]{8}-[2-9A-Z]{8}7a<\/code>/)
  expect((await admin.send('/desk/staff', { name: 'newcomer', role: 'ADMIN' })).body).toContain(
    '登录名 newcomer 已存在',
  )
  await admin.send(`/desk/staff/${other.staffId}/reset`)
  expect((await other.see('/desk')).headers.location).toBe('/desk/login')
  expect((await post('/desk/login', { name: other.name, password: PASSWORD })).statusCode).toBe(401)
  const third = await atDesk('APPRAISER')
  await admin.send(`/desk/staff/${third.staffId}/off`)
  expect((await third.see('/desk')).headers.location).toBe('/desk/login')
  expect((await post('/desk/login', { name: third.name, password: PASSWORD })).statusCode).toBe(401)
  expect((await admin.send(`/desk/staff/${admin.staffId}/off`)).statusCode).toBe(404)
  const log = (await admin.see('/desk/log')).body
  for (const words of ['新增账号', '重置密码', '停用账号']) expect(log).toContain(words)
})

test('an appraiser’s picture, years and introduction are set at the desk and shown with the figures', async () => {
  const [admin, appraiser] = [await atDesk('ADMIN'), await atDesk('APPRAISER', '小<林>')]
  const url = `/desk/staff/${appraiser.staffId}/profile`
  const told = { avatar: 'cover-human.webp', years: '6', intro: '做过三年寄售 <b>' }
  for (const [given, words] of [
    [{ avatar: '../x.webp' }, '没有这张图片'],
    [{ years: '' }, '从业年数'],
    [{ intro: '字'.repeat(121) }, '简介最多 120 字'],
  ] as const)
    expect((await admin.send(url, { ...told, ...given })).body).toContain(words)
  expect((await appraiser.send(url, told)).statusCode).toBe(404)
  expect((await admin.send(url, told)).headers.location).toBe('/desk/staff?done=changed')
  const { html } = (await server.call('app', 'documentGet', { key: 'APPRAISERS' })).body.data
  for (const words of [
    '小&lt;林&gt;',
    '从业 6 年 · 已估 0 单',
    '暂无成交回访',
    '做过三年寄售 &lt;b&gt;',
    '/cover-human.',
  ])
    expect(html).toContain(words)
  expect(html).not.toContain('<b>')
})

test('an appraiser’s accuracy is published from three known sales on, by the newest price that each person delivered', async () => {
  const [mine, other, admin] = [
    await atDesk('APPRAISER', '小准'),
    await atDesk('APPRAISER', '小别'),
    await atDesk('ADMIN'),
  ]
  const comment = '按近期成交，仓库齐全，没有风险'
  const delivered = async (by: typeof mine, price: string) => {
    const order = await paidOrder()
    await by.send(`/desk/orders/${order.orderId}/take`)
    await by.deliver(`/desk/orders/${order.orderId}`, { price, comment })
    return order
  }
  const orders = [await delivered(mine, '1000'), await delivered(mine, '1000'), await delivered(mine, '1050')]
  const [revised, second, third] = orders as [(typeof orders)[0], (typeof orders)[0], (typeof orders)[0]]
  await delivered(other, '2000')
  const { orderId, token } = revised
  const again = { ...manualRequest(config), orderId, remark: '价格偏低' }
  await server.call('evaluation', 'submitManual', again, { token })
  const changed = '按近期成交重新核对，价格略升'
  await mine.deliver(`/desk/orders/${orderId}`, { price: '1100', comment, changed })

  /** What the report and the page of appraisers say of the appraiser. */
  const published = async () => {
    const { appraiser } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
    const { html } = (await server.call('app', 'documentGet', { key: 'APPRAISERS' })).body.data
    const person = html.split('<div class="doc-person">').find((part) => part.includes('小准')) ?? ''
    return [appraiser?.delivered, appraiser?.sales, appraiser?.medianGap, person.split('<br>')[2]]
  }
  // one sale by its owner, the others by the staff
  const sale = { orderId, score: 5, accuracy: 'FAIR' as const, soldFen: 100_000 }
  await server.call('evaluation', 'saveEvaluation', sale, { token })
  await admin.send(`/desk/orders/${second.orderId}/sold`, { soldPrice: '800', soldDay: '' })
  expect(await published()).toEqual([3, 2, undefined, '暂无成交回访'])
  await admin.send(`/desk/orders/${third.orderId}/sold`, { soldPrice: '1000', soldDay: '' })
  // 10 % of the second version (0 % of the first), 25 % and 5 %
  expect(await published()).toEqual([3, 3, 0.1, '与成交价的差距中位数 10.0%（3 笔）'])
  // of one owner's sales one counts, that of the newest order
  await db().updateTable('orders').set({ user_id: revised.userId }).where('id', '=', second.orderId).execute()
  expect(await published()).toEqual([3, 2, undefined, '暂无成交回访'])
})
