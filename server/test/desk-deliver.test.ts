import { createModelRepository } from '../domains/models/repository'
import { confirmationIn, deliveryFields } from './appraisal'
import { setupDesk } from './desk-fixture'
import { manualRequest } from './orders'

const { atDesk, config, db, logOf, paidOrder, server, statusOf } = setupDesk()
const EVIL = '"><script>alert(1)</script><img src=x onerror=alert(2)>'
const INERT = '&#60;script&#62;alert(1)'

test('while the first model is trained the page opens, and what was typed to be delivered stays', async () => {
  const { send, see, deliver } = await atDesk('APPRAISER')
  const { orderId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  expect((await send(`${url}/take`)).statusCode).toBe(303)
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { models } = deps
  await db().updateTable('models').set({ active: false }).execute()
  deps.models = createModelRepository(db(), () => new Promise(() => undefined), 20)
  expect((await see(url)).body).toContain('模型正在准备')
  const refused = await deliver(url, { price: '2580', comment: '按近期成交估价，等待模型' })
  expect(refused.body).toContain('该游戏的估价模型正在准备')
  expect(refused.body).toContain('按近期成交')
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  await db().updateTable('models').set({ active: true }).execute()
  deps.models = models
  expect((await deliver(url, { price: '2580', comment: '按近期成交估价，等待模型' })).statusCode).not.toBe(503)
})

test('taken, asked, supplied, delivered, revised: each through the orders’ own rules, each in the log', async () => {
  const { staffId, send, see, deliver } = await atDesk('APPRAISER')
  const { orderId, token, userId } = await paidOrder()
  const url = `/desk/orders/${orderId}`
  await send(`${url}/take`)
  expect((await send(`${url}/ask`, { wanted: ' ' })).body).toContain('请写明需要补充的资料')
  for (const [wanted, refusal] of [
    ['请加我微信，私下说', '不能留联系方式'],
    ['请补充登录密码、短信验证码', '不能向用户索要密码、验证码或保证金'],
  ] as const)
    expect((await send(`${url}/ask`, { wanted })).body).toContain(refusal)
  await send(`${url}/ask`, { wanted: '请补一张仓库截图' })
  expect(await statusOf(orderId)).toBe('WAIT_INFO')
  await server.call(
    'evaluation',
    'submitManual',
    { ...manualRequest(config), orderId, remark: '已补充仓库说明' },
    { token },
  )
  // computes the market
  await server.lifecycle.jobRunner?.runAll()
  const page = (await see(url)).body
  for (const words of ['已补充仓库说明', 'AI 看了哪些', '可比账号', '逐项对照', '先写下您的首次估价'])
    expect(page).toContain(words)
  expect(page).toMatch(/近一年行情<\/h2><p>\d{4}-\d\d \d+，.* 100<\/p>/)
  for (const words of ['AI 估价', '交付报告']) expect(page).not.toContain(words)
  expect((await send(`${url}/deliver`, { price: '2580' })).statusCode).toBe(409)
  expect((await send(`${url}/first`, { first: '贵' })).body).toContain('请填写您的首次估价')
  // a slip of the keys is asked about, measured by the sales on the page and not by the hidden price
  for (const [typed, words] of [
    ['9,999,999', '是可比账号最高价'],
    ['0.5', '不到可比账号最低价'],
  ] as const) {
    const warned = await send(`${url}/first`, { first: typed })
    expect([warned.statusCode, warned.body.includes(words)]).toEqual([400, true])
    expect(warned.body).toContain(`name="first" inputmode="decimal" autocomplete="off" value="${typed}"`)
    expect(warned.body).toContain(`name="sure" value="${typed}"`)
    expect(warned.body).not.toContain('AI 估价')
  }
  expect((await send(`${url}/first`, { first: '9999998', sure: '9,999,999' })).statusCode).toBe(400)
  await send(`${url}/first`, { first: '2,500' })
  expect((await send(`${url}/first`, { first: '2600' })).statusCode).toBe(409)
  const afterwards = (await see(url)).body
  for (const words of ['AI 估价', '交付报告', '您的首次估价 ¥2,500']) expect(afterwards).toContain(words)
  // neither the price nor the range that the page shows now was anywhere on it before
  const shown = /AI 估价<\/h2><p class="price">(¥[\d,.]+)<\/p>\s*<p>区间 (¥[\d,.]+) – (¥[\d,.]+)，/.exec(afterwards)
  expect(shown).not.toBeNull()
  for (const amount of shown?.slice(1) ?? []) expect(page).not.toContain(amount)

  // a price far from the model's needs a reason; the input is kept
  const bad = await deliver(url, { price: '1', comment: '低' })
  expect(bad.statusCode).toBe(400)
  expect(bad.body).toContain('相差超过 20%')
  expect(bad.body).toContain('value="1"')
  expect((await send(`${url}/deliver`, { price: 'abc' })).body).toContain('请填写价格（元）')
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  const comment = '按近期成交，仓库齐全，没有风险'
  const tries = [
    [{ comment: '加我微信 wx_abc12345 或打 13900001111，我个人收' }, '估价说明不能留联系方式（微信、QQ、电话）'],
    [{ 'note-0-why': '加 QQ 123456789 私下聊' }, '”不能留联系方式（微信、QQ、电话）'],
    [{ low: '' }, '请填写区间最低（元）'],
    [{ low: '2600' }, '价格应为：区间最低'],
    [{ 'note-0-verdict': 'HIGHER', 'note-0-why': '' }, '与模型不同，请写明理由'],
    [
      { 'note-0-verdict': '', 'note-1-verdict': '', 'note-2-verdict': '', 'note-3-verdict': '', 'note-4-verdict': '' },
      '项明细表态',
    ],
    [{ 'like-0-verdict': 'STRUCK', 'like-0-why': '' }, '取舍可比账号请写明理由'],
    [{ 'advice-0-how': '快卖', 'advice-1-how': '' }, '出售建议请写明渠道和做法'],
    [{ comment: '按近期成交' }, '请填写估价说明（至少 10 字）'],
    [{ 'check-0': '' }, '请先完成核对清单'],
  ] as const
  for (const [given, words] of tries) {
    const answer = await deliver(url, { price: '2580', comment, ...given })
    expect([answer.statusCode, answer.body.includes(words) || words]).toEqual([400, true])
  }
  // input is saved as a draft until it is delivered
  const draft = { price: '2570', comment: '草稿里的话' }
  expect((await send(`${url}/draft`, draft)).headers.location).toBe(`${url}?done=drafted`)
  expect((await see(url)).body).toContain('草稿里的话')
  const range = { low: '2400', high: '2,750' }
  const delivered = await deliver(url, { price: '2,580.50', ...range, comment })
  expect(delivered.headers.location).toBe(`${url}?done=delivered`)
  expect(
    await db().selectFrom('appraisal_drafts').select(['blind_fen', 'draft']).where('order_id', '=', orderId).execute(),
  ).toEqual([{ blind_fen: 250_000, draft: {} }])
  const first = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(first.body.data).toMatchObject({
    version: 1,
    price: { predictFen: 258_050, lowFen: 240_000, highFen: 275_000 },
    appraiser: { name: '小林', years: 4, comment, delivered: 1, sales: 0 },
  })
  // nobody has sent a picture: the page and the report say so
  expect(page).toContain('用户没有传截图')
  expect(first.body.data.pictures).toBe(0)
  // from the model's price to the appraiser's, to the fen
  const { aiFen = 0, lines = [], restFen = 0, people } = first.body.data.reconciliation ?? {}
  expect([aiFen, people]).toEqual([first.body.data.ai?.price.predictFen, 1])
  expect(aiFen + lines.reduce((sum, { amountFen }) => sum + amountFen, 0) + restFen).toBe(258_050)
  // the rank is that of the appraiser's price among the sales
  const { model } = (await server.lifecycle.deps?.models.active(config)) ?? {}
  const rank = Math.round(100 * (first.body.data.percentile ?? 0))
  const [below = 0, above = 0] = model?.percentiles.slice(rank - 1, rank + 1).map(Math.exp) ?? []
  expect([below < 258_050, above >= 258_050]).toEqual([true, true])
  // it contains the model's full report
  expect(first.body.data.ai?.breakdown.length).toBeGreaterThanOrEqual(5)
  expect(first.body.data.appraiser?.work?.notes.length).toBeGreaterThanOrEqual(5)
  expect((await send(`${url}/deliver`, { price: '2580' })).statusCode).toBe(409)

  const again = { ...manualRequest(config), orderId, remark: '新入了两件限定，漏算了' }
  const why = async (more: object) =>
    (await server.call('evaluation', 'submitManual', { ...again, ...more }, { token })).body
  expect(JSON.stringify((await why({})).data)).toContain('请选择复估的原因')
  expect(JSON.stringify((await why({ reasons: ['OTHER'], remark: ' ' })).data)).toContain('请写明复估的原因')
  expect((await why({ reasons: ['TOO_LOW', 'MISSED'] })).code).toBe('OK')
  const asked = (await see(url)).body
  for (const words of ['价格偏低、漏算了物品或资料', '新入了两件限定，漏算了', '这一版改了什么'])
    expect(asked).toContain(words)
  // said once, not again as the owner's remark
  expect(asked.split('新入了两件限定，漏算了')).toHaveLength(2)
  // the form begins with the version before, without its ticks
  const sent = deliveryFields(asked, 2580)
  for (const [name, value] of Object.entries({
    ...{ price: '2580.50', low: '2400', high: '2750', 'advice-0-channel': sent['advice-0-channel'] },
    ...{ 'note-0-why': sent['note-0-why'], 'like-0-why': sent['like-0-why'] },
  }))
    expect(asked).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`))
  expect(asked).toContain(comment)
  expect(asked).toContain('核对清单需要重新勾选')
  expect(asked).not.toContain('checked')
  const revised = { price: '2600', comment: '复估：行情略升，其余与上一版一致' }
  expect((await deliver(url, revised)).body).toContain('请写明这一版改了什么')
  const misspelled = await deliver(url, { ...revised, changed: '按截图补计联动·古墓丽形，其余与上一版一致' })
  expect([misspelled.statusCode, await statusOf(orderId)]).toEqual([400, 'REVALUING'])
  expect(misspelled.body).toContain('“联动·古墓丽形”是不是“联动·古墓丽影”？')
  await deliver(url, { ...revised, changed: '按截图补计两件限定，其余与上一版一致' })
  const second = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(second.body.data).toMatchObject({
    version: 2,
    price: { predictFen: 260_000, lowFen: 234_000 },
    revised: {
      reasons: ['TOO_LOW', 'MISSED'],
      text: '新入了两件限定，漏算了',
      answer: '按截图补计两件限定，其余与上一版一致',
      beforeFen: 258_050,
    },
  })
  expect(await logOf(orderId)).toEqual([
    ['TAKE', staffId, ''],
    ['ASK', staffId, ''],
    ['FIRST', staffId, ''],
    ['DELIVER', staffId, 'v1 ¥2,580.50'],
    ['REVISE', staffId, 'v2 ¥2,600'],
  ])
  const told = await db().selectFrom('messages').select(['title', 'link']).where('user_id', '=', userId).execute()
  expect(told.map((m) => m.title)).toEqual(expect.arrayContaining(['待补充资料', '报告已出', '复估报告已出']))
  // to the order, where it is supplied
  expect(told.find(({ title }) => title === '待补充资料')?.link).toContain(`orderId=${orderId}`)
})

test('a professional order is delivered with a reason for every verdict, a selling plan and answers to buyers', async () => {
  const { send, see, deliver } = await atDesk('APPRAISER')
  const { orderId, token } = await paidOrder({ level: 'ADV' })
  const url = `/desk/orders/${orderId}`
  await send(`${url}/take`)
  const full = { price: '1000', comment: '按近期成交，仓库齐全，没有风险' }
  const planIssue = '降价计划至少 3 步'
  const tries = [
    [{ 'note-0-why': '' }, '请写明理由'],
    [{ 'like-0-why': '' }, '取舍可比账号请写明理由'],
    [{ 'plan-2-day': '', 'plan-2-price': '' }, planIssue],
    [{ 'plan-2-price': '1030' }, planIssue],
    [{ 'plan-floor': '960' }, '底价应在'],
    [{ 'bargain-1-says': '', 'bargain-1-how': '' }, '请写至少 2 种买家压价怎么回'],
  ] as const
  for (const [given, words] of tries) {
    const answer = await deliver(url, { ...full, ...given })
    expect([given, answer.statusCode, answer.body.includes(words)]).toEqual([given, 400, true])
  }
  // what is valid and yet probably a mistake is asked about, once for each mistake
  const typed = { ...deliveryFields((await see(url)).body, 1000), ...full, 'advice-1-channel': '号商回收' }
  const warned = await send(`${url}/deliver`, typed)
  expect([warned.statusCode, warned.body.includes('明细更正合计 ¥0')]).toEqual([400, true])
  const sure = confirmationIn(warned.body) ?? ''
  const low = { ...typed, 'advice-0-how': '先挂 {挂牌价}，急用钱可以 900 元卖' }
  const other = await send(`${url}/deliver`, { ...low, sure })
  expect([other.statusCode, other.body.includes('低于底价 ¥950')]).toEqual([400, true])
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  const made = await send(`${url}/deliver`, { ...typed, sure: sure.replaceAll('\n', '\r\n') })
  expect(made.headers.location).toBe(`${url}?done=delivered`)
  const { data } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body
  expect(data.appraiser?.work).toMatchObject({
    plan: [
      { day: 1, fen: 105_000 },
      { day: 4, fen: 102_000 },
      { day: 7, fen: 100_000 },
    ],
    floorFen: 95_000,
    // what is left after the fee
    advice: [{ feeBp: 600, netFen: 94_000, lessFen: 1_000 }, { feeBp: 0, netFen: 95_000, soldFen: 95_000 }, {}, {}],
  })
  expect(data.appraiser?.work?.advice.slice(2)).toEqual([
    { channel: '买家压价：有防沉迷', how: '报价里已经扣过，不再让' },
    { channel: '买家压价：同类更便宜', how: '那些账号少一款典藏，最多让到 ¥950' },
  ])
})

test('text by users is escaped wherever it is shown', async () => {
  const [appraiser, admin] = [await atDesk('APPRAISER', EVIL.slice(0, 16)), await atDesk('ADMIN')]
  const { orderId } = await paidOrder({ remark: EVIL, nickname: EVIL })
  const { answers, title } = await db()
    .selectFrom('orders')
    .select(['answers', 'title'])
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const evil = Object.fromEntries(Object.entries(answers).map(([k, v]) => [k, typeof v === 'string' ? EVIL : v]))
  await db()
    .updateTable('orders')
    .set({ answers: JSON.stringify(evil), title: `${title}${EVIL}`, cancel_reason: EVIL })
    .where('id', '=', orderId)
    .execute()
  await appraiser.send(`/desk/orders/${orderId}/take`)
  await appraiser.send(`/desk/orders/${orderId}/first`, { first: '2580' })
  const typed = await appraiser.send(`/desk/orders/${orderId}/deliver`, { price: EVIL, comment: EVIL })
  const pages = [typed, ...(await Promise.all(['/desk', `/desk/orders/${orderId}`, '/desk/log'].map(admin.see)))]
  for (const { body } of pages) {
    expect(body).not.toContain('<script>alert')
    expect(body).not.toContain('<img src=x')
  }
  expect(pages[0]?.body).toContain(INERT)
  expect(pages[2]?.body).toContain(INERT)
})
