import { createModelRepository } from '../domains/models/repository'
import { commentOf, comparablesIn, deliveryFields, linesIn } from './appraisal'
import { HOUR, setupDesk } from './desk-fixture'
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
  const { models } = deps.repositories
  await db().updateTable('models').set({ active: false }).execute()
  deps.repositories.models = createModelRepository(db())
  expect((await see(url)).body).toContain('模型正在准备')
  const refused = await deliver(url, { price: '2580', comment: '按近期成交估价，等待模型' })
  expect(refused.body).toContain('该游戏的估价模型正在准备')
  expect(refused.body).toContain('按近期成交')
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  await db().updateTable('models').set({ active: true }).execute()
  deps.repositories.models = models
  expect((await deliver(url, { price: '2580', comment: '按近期成交估价，等待模型' })).statusCode).not.toBe(503)
})

test('taken, asked, supplied, delivered, revised: each through the orders’ own rules, each in the log', async () => {
  const { staffId, send, see } = await atDesk('APPRAISER')
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
  const page = (await see(url)).body
  for (const words of ['已补充仓库说明', 'AI 看了哪些', '可比账号', '提交首次估价']) expect(page).toContain(words)
  for (const words of ['AI 明细', 'data-deliver']) expect(page).not.toContain(words)
  expect((await send(`${url}/deliver`, { price: '2580' })).statusCode).toBe(409)
  expect((await send(`${url}/first`, { first: '贵' })).body).toContain('请填写您的首次估价')
  await send(`${url}/first`, { first: '2,500' })
  expect((await send(`${url}/first`, { first: '2600' })).statusCode).toBe(409)
  const afterwards = (await see(url)).body
  for (const words of ['AI 明细', 'data-deliver', '首估 ¥2,500']) expect(afterwards).toContain(words)
  // neither the price that the page shows now nor the amount of a line was anywhere on it before
  const [, shown = ''] = /首估 ¥2,500 · AI (¥[\d,.]+)/.exec(afterwards) ?? []
  const [, amount = ''] = /<div class="line"><span>[^<]*<\/span><b>([^<]*)/.exec(afterwards) ?? []
  for (const money of [shown, amount]) {
    expect(money).toContain('¥')
    expect(page).not.toContain(money)
  }

  // the input of a refused form is kept
  expect((await send(`${url}/deliver`, { price: 'abc' })).body).toContain('请填写参考成交价（元）')
  const [line = '', other = ''] = linesIn(afterwards)
  const [struck = ''] = comparablesIn(afterwards)
  const comment = commentOf('仓库齐全，没有风险')
  const whole = { ...deliveryFields(afterwards, 2580), price: '2580', comment }
  const tries = [
    [{ comment: '按近期成交' }, '请写为什么、怎么卖（至少 60 字）'],
    [{ comment: commentOf('加我微信 wx_abc12345 或打 13900001111，我个人收') }, '不能留联系方式（微信、QQ、电话）'],
    [{ comment: commentOf('请把登录密码告诉估价师') }, '不能向用户索要密码'],
    [{ low: '' }, '请填写区间最低（元）'],
    [{ low: '2600' }, '价格应为：区间最低'],
    [{ low: '900', high: '2800' }, '区间太宽'],
    [{ [`own-${line}`]: '3000' }, '改了金额，请写理由'],
    [{ [`own-${line}`]: '很多' }, '的金额看不懂'],
    [{ price: '7600', low: '7000', quick: '', list: '', high: '8000' }, '相差 3 倍以上'],
  ] as const
  for (const [given, words] of tries) {
    const answer = await send(`${url}/deliver`, { ...whole, ...given })
    expect([given, answer.statusCode, answer.body.includes(words)]).toEqual([given, 400, true])
  }
  expect(await statusOf(orderId)).toBe('ASSIGNED')
  // input is saved as a draft until it is delivered
  const draft = { price: '2570', comment: '草稿里的话' }
  expect((await send(`${url}/draft`, draft)).headers.location).toBe(`${url}?done=drafted`)
  expect((await see(url)).body).toContain('草稿里的话')
  const delivered = await send(`${url}/deliver`, {
    ...{ ...whole, price: '2,580.50', low: '2400', high: '2,750', quick: '', list: '' },
    ...{ [`own-${line}`]: '3,000', [`why-${line}`]: '近期返场，仍涨', [`strike-${struck}`]: 'OLD' },
  })
  expect(delivered.headers.location).toBe(`${url}?done=delivered`)
  // what was delivered takes the place of the form
  expect((await see(url)).body).toMatch(/<section aria-label="处理">(?:(?!<\/section>).)*第 1 版/s)
  expect(
    await db()
      .selectFrom('appraisal_drafts')
      .select(['blind_fen', 'draft_at'])
      .where('order_id', '=', orderId)
      .execute(),
  ).toEqual([{ blind_fen: 250_000, draft_at: null }])
  const first = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(first.body.data).toMatchObject({
    version: 1,
    price: { predictFen: 258_050, lowFen: 240_000, highFen: 275_000 },
    appraiser: {
      ...{ name: '小林', years: 4, comment, delivered: 1, sales: 0 },
      work: { corrections: [{ label: line, ownFen: 300_000 }], struck: [{ id: struck, reason: 'OLD' }], checked: [] },
    },
  })
  // quick and list price keep the model's distance from the price, within the range
  const { price, ai } = first.body.data
  const quick = ((ai?.price.quickFen ?? 0) * 258_050) / (ai?.price.predictFen ?? 1)
  expect(Math.abs(price.quickFen - Math.max(240_000, quick))).toBeLessThanOrEqual(50)
  // nobody has sent a picture: the page and the report say so
  expect(page).toContain('用户没有传截图')
  expect(first.body.data.pictures).toBe(0)
  // from the model's price to the appraiser's, to the fen
  const { aiFen = 0, lines = [], restFen = 0, people } = first.body.data.reconciliation ?? {}
  expect([aiFen, people]).toEqual([first.body.data.ai?.price.predictFen, 1])
  expect(aiFen + lines.reduce((sum, { amountFen }) => sum + amountFen, 0) + restFen).toBe(258_050)
  // the rank is that of the appraiser's price among the sales
  const { model } = (await server.lifecycle.deps?.repositories.models.active(config)) ?? {}
  const rank = Math.round(100 * (first.body.data.percentile ?? 0))
  const [below = 0, above = 0] = model?.percentiles.slice(rank - 1, rank + 1).map(Math.exp) ?? []
  expect([below < 258_050, above >= 258_050]).toEqual([true, true])
  // it contains the model's full report
  expect(first.body.data.ai?.breakdown.length).toBeGreaterThanOrEqual(5)
  expect((await send(`${url}/deliver`, { price: '2580' })).statusCode).toBe(409)

  const again = { ...manualRequest(config), orderId, remark: '新入了两件限定，漏算了' }
  const why = async (more: object) =>
    (await server.call('evaluation', 'submitManual', { ...again, ...more }, { token })).body
  expect(JSON.stringify((await why({ remark: '\u200b\u3164 \u2060' })).data)).toContain('请写明复估的原因')
  expect((await why({})).code).toBe('OK')
  const asked = (await see(url)).body
  for (const words of ['新入了两件限定，漏算了', '改了什么、为什么、怎么卖']) expect(asked).toContain(words)
  // said once, not again as the owner's remark
  expect(asked.split('新入了两件限定，漏算了')).toHaveLength(2)
  // the form begins with what was delivered, but for the comment
  for (const [name, value] of [
    ['price', '2,580.50'],
    ['low', '2400'],
    [`own-${line}`, '3,000'],
  ])
    expect(asked).toMatch(new RegExp(`name="${name}"[^>]* value="${value}"`))
  expect(asked).toMatch(/<textarea name="comment"[^>]*><\/textarea>/)
  expect(asked).toContain(`name="strike-${struck}" value="OLD" checked`)
  await send(`${url}/deliver`, {
    ...whole,
    [`own-${other}`]: '',
    price: '2600',
    high: '2,900',
    comment: commentOf('补计两件限定'),
  })
  const second = await server.call('evaluation', 'reportGet', { orderId }, { token })
  expect(second.body.data).toMatchObject({
    version: 2,
    price: { predictFen: 260_000, lowFen: 232_200 },
    revised: { text: '新入了两件限定，漏算了', beforeFen: 258_050 },
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

test('what was recognised on the pictures stands beside them: ✓ where it is the answer, ≠ where not', async () => {
  const { send, see } = await atDesk('APPRAISER')
  const { orderId, userId } = await paidOrder()
  const key = `u/${userId}/20261130/00000000-0000-4000-8000-000000000001`
  await db()
    .updateTable('orders')
    .set({ images: JSON.stringify([key]) })
    .where('id', '=', orderId)
    .execute()
  const { answers } = await db()
    .selectFrom('orders')
    .select('answers')
    .where('id', '=', orderId)
    .executeTakeFirstOrThrow()
  const [same, other] = config.fields.filter((field) => typeof answers[field.key] === 'number')
  if (!same || !other) throw new Error('two numbers are needed')
  const read = { [same.key]: Number(answers[same.key]), [other.key]: Number(answers[other.key]) + 1 }
  const sources = [same, other].map((field) => ({ field: field.key, key, box: [0, 0, 0.1, 0.1], score: 0.97 }))
  const now = server.clock.now()
  await db()
    .insertInto('screenshot_tasks')
    .values({
      ...{ id: 'at-desk', user_id: userId, game_id: config.gameId, keys: JSON.stringify([key]), status: 'DONE' },
      ...{ result: JSON.stringify({ answers: read, sources, ask: [] }), created_at: now, expire_at: now + HOUR },
    })
    .execute()
  await send(`/desk/orders/${orderId}/take`)
  const { body } = await see(`/desk/orders/${orderId}`)
  // the label leaves too little of half a row
  expect(body).toContain(
    `<div class="whole"><span>${same.label} · 图 1</span><b>${answers[same.key]}${same.unit ?? ''} ✓`,
  )
  expect(body).toContain(
    `${other.label} · 图 1</span><b class="bad">${read[other.key]}${other.unit ?? ''} ≠ ${answers[other.key]}`,
  )
})
