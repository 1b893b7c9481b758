import { advance, manualRequest, report } from './orders'
import { DAY, setupOrders } from './orders-fixture'
import { jpeg } from './pictures'

const { config, info, newUser, paidOrder, server } = setupOrders()

test('one free revaluation: version 2 beside version 1; a rating of two stars allows it too', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '首次估价说明' })
  const v1 = (await server.call('evaluation', 'reportImageShare', { orderId }, { token })).body.data
  const said = { orderId, score: 2, accuracy: 'LOW' as const, content: '漏算了皮肤' }
  const reviewed = await Promise.all(
    Array.from({ length: 5 }, () => server.call('evaluation', 'saveEvaluation', said, { token })),
  )
  expect(new Set(reviewed.map((a) => JSON.stringify(a.body))).size).toBe(1)
  expect(reviewed[0]?.body.data).not.toHaveProperty('addition')
  expect(await info(token, orderId)).toMatchObject({ status: 'REVALUING', evaluated: true })
  expect((await report(server, { orderId, priceFen: 110_000, comment: '复估后上调' })).json()).toMatchObject({
    version: 2,
  })
  const { db } = server.database
  const versions = await db
    .selectFrom('reports')
    .select(['version', 'predict_fen'])
    .where('order_id', '=', orderId)
    .orderBy('version')
    .execute()
  expect(versions).toEqual([
    { version: 1, predict_fen: 100_000 },
    { version: 2, predict_fen: 110_000 },
  ])
  // the link of the first version shows the newest one, until its owner withdraws it
  const link = { reportNo: new URL(v1.url).searchParams.get('reportNo') ?? '', shareToken: v1.shareToken }
  const visited = await server.call('evaluation', 'reportGet', link)
  expect(visited.body.data).toMatchObject({ version: 2, price: { predictFen: 110_000 } })
  const mine = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  expect(mine.shareToken).toBe(v1.shareToken)
  // its owner still opens the earlier one
  const { reportNo = '' } = mine.revised ?? {}
  const before = (await server.call('evaluation', 'reportGet', { reportNo }, { token })).body.data
  expect(before).toMatchObject({ orderId, version: 1, price: { predictFen: 100_000 } })
  await server.call('evaluation', 'reportImageShare', { orderId, withdraw: true }, { token })
  expect((await server.call('evaluation', 'reportGet', link)).body.code).toBe('SHARE_REVOKED')
  expect((await info(token, orderId)).actions).not.toContain('REVALUE')
  const again = { ...manualRequest(config), answers: {}, remark: '再看', orderId }
  expect((await server.call('evaluation', 'submitManual', again, { token })).body.code).toBe('ORDER_STATUS_CHANGED')
  const added = { ...said, content: '复估后满意' }
  expect((await server.call('evaluation', 'saveEvaluation', added, { token })).body.data).toMatchObject({
    score: 2,
    content: '漏算了皮肤',
    addition: '复估后满意',
  })
  expect((await server.call('evaluation', 'saveEvaluation', added, { token })).body.code).toBe('ORDER_STATUS_CHANGED')
})

test('a rating that starts the revaluation says what is wrong', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '首次估价说明' })
  const rate = (content: string) =>
    server.call('evaluation', 'saveEvaluation', { orderId, score: 1, accuracy: 'LOW', content }, { token })
  const refused = await rate(' \u200b')
  expect(refused.body).toMatchObject({ code: 'VALIDATION_FAILED', data: { fields: [{ path: 'content' }] } })
  expect(await info(token, orderId)).toMatchObject({ status: 'REPORTED', evaluated: false })
  expect((await rate('漏算了皮肤')).body.code).toBe('OK')
  expect(await info(token, orderId)).toMatchObject({ status: 'REVALUING', evaluated: true })
})

test('a rating is accepted for 30 days after the report, and not before it', async () => {
  let { token, mobile } = await newUser()
  const orderId = await paidOrder(token)
  const said = { orderId, score: 4, accuracy: 'FAIR' as const }
  const save = () => server.call('evaluation', 'saveEvaluation', said, { token })
  expect((await save()).body.code).toBe('ORDER_STATUS_CHANGED')
  await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
  expect((await server.call('evaluation', 'getEvaluation', { orderId }, { token })).body.data).toBeNull()
  const future = { ...said, soldFen: 1, soldAt: server.clock.now() + DAY }
  expect((await server.call('evaluation', 'saveEvaluation', future, { token })).status).toBe(400)
  await advance(server, 30 * DAY)
  token = (await server.login(mobile)).token
  expect((await info(token, orderId)).status).toBe('DONE')
  expect((await save()).body.code).toBe('ORDER_STATUS_CHANGED')
})

test('a rating sent twice is one rating, which can be added to later', async () => {
  const { token } = await newUser()
  const orderId = await paidOrder(token)
  await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
  const said = { orderId, score: 5, accuracy: 'FAIR' as const, content: '很好，谢谢' }
  const save = async (content = said.content) =>
    (await server.call('evaluation', 'saveEvaluation', { ...said, content }, { token })).body.data
  const twice = await Promise.all([save(), save()])
  for (const review of twice) expect([review.content, review.addition]).toEqual(['很好，谢谢', undefined])
  expect(await save('卖出去了')).toMatchObject({ content: '很好，谢谢', addition: '卖出去了' })
})

test('two stars for a paid report that is too old to be revalued earn a coupon; once revalued they do not', async () => {
  const { db } = server.database
  const rate = async (revalued: boolean) => {
    const { mobile, token, userId } = await newUser()
    const orderId = await paidOrder(token)
    await report(server, { orderId, priceFen: 100_000, comment: '估价说明' })
    await db.updateTable('orders').set({ revalued }).where('id', '=', orderId).execute()
    await advance(server, 8 * DAY)
    const said = { orderId, score: 2, accuracy: 'HIGH' as const }
    await server.call('evaluation', 'saveEvaluation', said, { token: (await server.login(mobile)).token })
    expect((await info(token, orderId)).status).toBe('DONE')
    const held = await db.selectFrom('user_coupons').select('template_id').where('user_id', '=', userId).execute()
    return held.filter(({ template_id }) => template_id === 'recheck').length
  }
  expect([await rate(false), await rate(true)]).toEqual([1, 0])
})

test('a review has pictures of its author only, and is read back with them', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const orderId = await paidOrder(user.token)
  await report(server, { orderId, priceFen: 120_000, comment: '皮肤稀有，按近期成交估价' })
  const storage = server.lifecycle.deps?.providers.storage
  if (!storage) throw new Error('not ready')
  const put = (userId: string) => storage.put(userId, jpeg, server.clock.now())
  const [key, foreign] = [await put(user.userId), await put(other.userId)]
  const review = (images: string[]) =>
    server.call('evaluation', 'saveEvaluation', { orderId, score: 5, accuracy: 'FAIR', images }, { token: user.token })
  const read = async () =>
    (await server.call('evaluation', 'getEvaluation', { orderId }, { token: user.token })).body.data
  for (const images of [[foreign], [`${key.slice(0, -1)}${key.endsWith('0') ? 1 : 0}`], Array(4).fill(key)])
    expect((await review(images)).status).toBe(400)
  expect(await read()).toBeNull()
  // sent twice it is there once
  expect((await review([key, key])).body.data).toMatchObject({ images: [key] })
  expect(await read()).toMatchObject({ images: [key] })
  expect(await info(user.token, orderId)).toMatchObject({ status: 'DONE' })
})
