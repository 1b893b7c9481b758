import { sql } from 'kysely'
import type { Res } from '@/contract/types'
import type { SaleChannel } from '../db/sale-channels'
import { type HeldSale, insertSales, storeSales } from '../db/sales'
import { deleteAccounts } from '../domains/accounts/account-deletion'
import { isOrdered } from '../domains/models/staff-decisions'
import type { DeskRole } from '../domains/staff/accounts'
import { atDesk } from './desk-session'
import { setupServer, someAnswers } from './harness'
import { adult, configOf } from './orders'
import { jpeg } from './pictures'

const DAY = 86_400_000

const db = () => server.database.db
const server = setupServer({ games: ['naraka'], env: { DEMO_APPRAISER: '0' } })

let numbers = 0
async function staff(role: DeskRole) {
  const session = await atDesk(server, { name: `admin${++numbers}`, role })
  /** the id contained in a form of a page */
  const formId = async (url: string) => /name="id" value="(\w{20})"/.exec((await session.see(url)).body)?.[1] ?? ''
  return { ...session, formId }
}

const mobileOf = (n: number) => `1350000${String(n).padStart(4, '0')}`
async function newUser() {
  const mobile = mobileOf(++numbers)
  return { ...(await adult(server, mobile)), mobile }
}
const logOf = async (staffId: string) =>
  (await db().selectFrom('desk_log').selectAll().where('staff_id', '=', staffId).orderBy('id').execute()).flatMap(
    ({ action, subject, note }) => (['LOGIN', 'PASSWORD'].includes(action) ? [] : [[action, subject, note]]),
  )
const inbox = async (token: string) => (await server.call('user', 'messages', {}, { token })).body.data.list
const alertIn = (body: string) => /role="alert"[^>]*>([^<]*)/.exec(body)?.[1] ?? ''
const dayIn = (days: number) => new Date(server.clock.now() + 8 * 3_600_000 + days * DAY).toISOString().slice(0, 10)

test('partners: a key is shown once, stopped, rotated, and every change is logged', async () => {
  const { staffId, see, send } = await staff('ADMIN')
  const made = await send('/desk/partners', { name: '甲平台' })
  const key = /<code>(pk_\w{20})<\/code>/.exec(made.body)?.[1] ?? ''
  expect(made.body).toContain('只显示这一次')
  expect(alertIn((await send('/desk/partners', { name: '甲平台' })).body)).toContain('已有名为')
  expect((await send('/desk/partners', { name: 'P1' })).body).toContain('只显示这一次')
  for (const name of ['p1', 'ｐ１']) expect(alertIn((await send('/desk/partners', { name })).body)).toContain('P1')
  expect((await send(`/desk/partners/${key}/stop`)).statusCode).toBe(303)
  expect((await see('/desk/partners')).body).toContain('启用')
  expect((await send(`/desk/partners/${key}/resume`)).statusCode).toBe(303)
  expect((await send(`/desk/partners/${key}/rotate`)).body).toContain('只显示这一次')
  await db().updateTable('partners').set({ moved_level: '最近的成交偏高' }).where('partner_id', '=', key).execute()
  expect((await see('/desk/partners')).body).toContain('最近的成交偏高')
  expect((await send(`/desk/partners/${key}/settle`)).statusCode).toBe(303)
  expect((await see('/desk/partners')).body).not.toContain('最近的成交偏高')
  expect((await send('/desk/partners/none/stop')).statusCode).toBe(404)
  expect((await logOf(staffId)).map(([action]) => action)).toEqual([
    'PARTNER_ADD',
    'PARTNER_ADD',
    'PARTNER_STOP',
    'PARTNER_RESUME',
    'PARTNER_RENEW',
    'PARTNER_SETTLE',
  ])
  const other = await staff('CONSULTANT')
  expect((await other.see('/desk/partners')).statusCode).toBe(404)
})

test('a held sale is accepted or refused with a reason, once, and logged; a source can be decided as a whole', async () => {
  const { staffId, see, send } = await staff('ADMIN')
  const now = server.clock.now()
  const held = (n: number, source: string): HeldSale => ({
    ...{ gameId: 'naraka', kind: 'SOLD', priceFen: 900_000 + n, at: now - DAY, source, externalId: `${n}` },
    ...{ attributes: { heroCount: 12 }, channel: 'PARTNER', reason: 'OUTLIER', marketFen: 100_000, residual: 2.2 },
  })
  await storeSales(db(), [held(1, 'p-a'), held(2, 'p-a'), held(3, 'p-b'), held(4, 'p-b')], now)
  const idOf = async (n: number) =>
    (await db().selectFrom('held_sales').select('id').where('external_id', '=', `${n}`).executeTakeFirstOrThrow()).id
  const page = (await see('/desk/sales')).body
  expect(page).toContain('¥9,000.01')
  expect(page).toContain('（9.00 倍）')
  expect((await see('/desk/sales?q=p-b')).body).not.toContain('¥9,000.01')
  const [one, two] = [await idOf(1), await idOf(2)]
  expect(alertIn((await send(`/desk/sales/${one}`, { decision: 'ACCEPTED', note: ' ' })).body)).toContain('理由')
  const twice = { decision: 'ACCEPTED', note: '有截图' }
  const answers = await Promise.all([send(`/desk/sales/${one}`, twice), send(`/desk/sales/${one}`, twice)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  expect((await send(`/desk/sales/${two}`, { decision: 'REFUSED', note: '单位错' })).statusCode).toBe(303)
  expect((await send('/desk/sales/source', { source: 'p-b', decision: 'ACCEPTED', note: '已核对' })).statusCode).toBe(
    303,
  )
  expect((await send('/desk/sales/source', { source: 'p-b', decision: 'ACCEPTED', note: '再来' })).statusCode).toBe(404)
  const stored = await db().selectFrom('sales').select('external_id').where('source', 'in', ['p-a', 'p-b']).execute()
  expect(stored.map((r) => r.external_id).sort()).toEqual(['1', '3', '4'])
  expect(await logOf(staffId)).toEqual([
    ['SALE_ACCEPT', 'naraka ¥9,000.01', '有截图'],
    ['SALE_REFUSE', 'naraka ¥9,000.02', '单位错'],
    ['SALE_ACCEPT', 'p-b ×2', '已核对'],
  ])
  expect((await (await staff('APPRAISER')).see('/desk/sales')).statusCode).toBe(404)
})

test('a sale of a partner or an import is removed with a reason, so that it can be sent corrected', async () => {
  const { staffId, see, send } = await staff('ADMIN')
  const sale = (externalId: string, channel: SaleChannel): HeldSale => ({
    ...{ gameId: 'naraka', kind: 'SOLD', priceFen: 100_000, at: server.clock.now() - DAY, source: 'p-correct' },
    ...{ externalId, attributes: { heroCount: 12 }, channel, reason: 'OUTLIER' },
  })
  await insertSales(db(), [sale('1', 'PARTNER'), sale('3', 'FOLLOW_UP')])
  await storeSales(db(), [sale('2', 'IMPORT')], server.clock.now())
  const remove = (externalId: string, note = '价格填错') =>
    send('/desk/sales/remove', { source: 'p-correct', externalId, note })
  expect(alertIn((await remove('1', ' ')).body)).toContain('理由')
  for (const externalId of ['1', '2']) expect((await remove(externalId)).statusCode).toBe(303)
  for (const externalId of ['1', '3']) expect(alertIn((await remove(externalId)).body)).toContain('没有这一条')
  expect(await db().selectFrom('held_sales').select('id').where('source', '=', 'p-correct').execute()).toEqual([])
  expect(await db().selectFrom('training_orders').select('game_id').execute()).toContainEqual({ game_id: 'naraka' })
  expect((await see('/desk/log')).body).toContain('移除成交')
  expect(await logOf(staffId)).toEqual([
    ['SALE_REMOVE', 'p-correct 1', '价格填错'],
    ['SALE_REMOVE', 'p-correct 2', '价格填错'],
  ])
  await db().deleteFrom('sales').where('source', '=', 'p-correct').execute()
  await db().deleteFrom('training_orders').execute()
})

test('reported sales that are accepted together join the others as the same accounts, and are thanked for', async () => {
  const { send } = await staff('ADMIN')
  const { token, userId } = await newUser()
  await db().updateTable('users').set({ code_client: 'a-device' }).where('id', '=', userId).execute()
  const { gameId, schemaVersion, ...config } = await configOf(server, 'naraka')
  const answers = someAnswers({ gameId, schemaVersion, ...config }, numbers)
  const submission = { gameId, schemaVersion, answers, source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', submission, { token })).body.data
  const { predictFen } = (await server.call('sale', 'followUp', { orderId }, { token })).body.data
  const told = { outcome: 'SOLD' as const, soldFen: 6 * predictFen, soldAt: server.clock.now() }
  await server.call('sale', 'report', { orderId, consent: true, ...told }, { token })
  const held = await db()
    .selectFrom('held_sales')
    .selectAll()
    .where('source', '=', 'follow-up')
    .executeTakeFirstOrThrow()
  expect(held.device).not.toContain('a-device')
  const all = { source: 'follow-up', decision: 'ACCEPTED', note: '已核对截图' }
  expect((await send('/desk/sales/source', all)).statusCode).toBe(303)
  const { reporter, device, price_fen: fen } = held
  expect(
    await db()
      .selectFrom('sales')
      .select(['reporter', 'device', 'price_fen', 'channel'])
      .where('source', '=', 'follow-up')
      .execute(),
  ).toEqual([{ reporter, device, price_fen: fen, channel: 'FOLLOW_UP' }])
  expect((await server.call('sale', 'followUp', { orderId }, { token })).body.data).toMatchObject({ thanked: true })
})

test('staff see the screenshot of a held sale by a link that expires, until the account is deleted', async () => {
  const { see } = await staff('ADMIN')
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { token, userId } = await newUser()
  const { gameId, schemaVersion, ...config } = await configOf(server, 'naraka')
  const answers = someAnswers({ gameId, schemaVersion, ...config }, numbers)
  const submission = { gameId, schemaVersion, answers, source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', submission, { token })).body.data
  const { predictFen } = (await server.call('sale', 'followUp', { orderId }, { token })).body.data
  const image = await deps.storage.put(userId, jpeg, server.clock.now())
  const told = { outcome: 'SOLD' as const, soldFen: 7 * predictFen, soldAt: server.clock.now(), images: [image] }
  expect((await server.call('sale', 'report', { orderId, consent: true, ...told }, { token })).status).toBe(200)
  const shown = async () =>
    /<img src="([^"]*)" alt="成交截图"/.exec((await see(`/desk/sales?q=follow`)).body)?.[1]?.replace(/&#38;/g, '&')
  const url = (await shown()) ?? ''
  const got = () => server.app.inject({ url })
  expect((await got()).headers['content-type']).toBe('image/jpeg')
  server.clock.advance(DAY / 24)
  expect((await got()).statusCode).toBe(404)
  expect(await shown()).toBeDefined()
  await db().updateTable('users').set({ deletion_at: 1 }).where('id', '=', userId).execute()
  await deleteAccounts.run(deps, server.clock.now())
  expect(await shown()).toBeUndefined()
  expect((await see('/desk/sales?q=follow')).body).toContain('不采用')
  expect(await deps.storage.typeOf(image)).toBeUndefined()
})

test('lists of the desk are searched, also for characters with a meaning in patterns', async () => {
  const { see, send, formId } = await staff('ADMIN')
  for (const title of ['周年_活动', '周年庆'])
    await send('/desk/messages', {
      ...{ kind: 'SYSTEM', target: 'ALL', title, body: '正文', sure: 'on' },
      id: await formId('/desk/messages'),
    })
  const search = async (path: string, q: string) => {
    const { statusCode, body } = await see(`${path}?${new URLSearchParams({ q })}`)
    expect(statusCode).toBe(200)
    expect(body).toContain(`value="${q}"`)
    return body
  }
  expect(await search('/desk/messages', '年_')).toMatch(/^(?=.*周年_活动)(?!.*周年庆)/s)
  expect(await search('/desk/coupons', '新人')).toMatch(/^(?=.*新人体验券)(?!.*成交回访谢礼券)/s)
  const name = (await configOf(server, 'naraka')).name
  for (const word of [name, 'NARAKA']) expect(await search('/desk/models', word)).toContain(`<td>${name}</td>`)
  expect(await search('/desk/models', '没有这个游戏')).toContain('没有符合的记录')
})

test('any model is put into use, or another trained, with one button beside its figures', async () => {
  const { staffId, see, send } = await staff('ADMIN')
  const make = async (active: boolean) => {
    const {
      id: _,
      accuracy: __,
      ...row
    } = await db().selectFrom('models').selectAll().orderBy('id').executeTakeFirstOrThrow()
    const figures = { n: 60, champion_error: 0.121, challenger_error: 0.143, moved: 0.052, refused: '<b>高于在用模型' }
    const made = db()
      .insertInto('models')
      .values({ ...row, ...(active ? {} : figures), active })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  }
  const inUse = async () =>
    (await db().selectFrom('models').select('id').where('active', '=', true).execute()).map(({ id }) => id)
  const refused = await make(false)
  await db().updateTable('models').set({ active: false }).where('active', '=', true).execute()
  const fresh = await make(true)
  const { body } = await see('/desk/models?q=naraka')
  const row = body.match(RegExp(`<td class="num">${refused}</td>.*?</tr>`, 's'))?.[0] ?? ''
  expect([...row.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map((found) => found[1]).slice(3)).toEqual([
    ...[expect.stringContaining('%'), '60', '12.1%', '14.3%', '5.2%', '&#60;b&#62;高于在用模型'],
  ])
  expect(row).toContain(`name="seen" value="${fresh}"`)
  // beyond twice the error it shows the figures only
  const err = (challenger_error: number) =>
    db().updateTable('models').set({ challenger_error }).where('id', '=', refused).execute()
  await err(0.25)
  expect((await see('/desk/models?q=naraka')).body).not.toContain(`value="${refused}">换上`)
  await err(0.143)
  const use = (id: number) => send('/desk/models', { game: 'naraka', seen: `${fresh}`, use: `${id}` })
  // a double submit
  const answers = await Promise.all([use(refused), use(refused)])
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  expect(alertIn((await use(refused)).body)).toContain('在用模型已更换，请刷新后重试')
  expect(await inUse()).toEqual([refused])
  expect(await isOrdered(db(), 'naraka', 0, server.clock.now())).toBe(false)
  expect((await send('/desk/models', { game: 'naraka', use: '' })).statusCode).toBe(303)
  expect(await isOrdered(db(), 'naraka', 0, server.clock.now())).toBe(true)
  expect((await send('/desk/models', { game: 'none', use: '' })).statusCode).toBe(404)
  expect((await logOf(staffId)).map((entry) => entry.slice(0, 2))).toEqual([
    ['MODEL_USE', `naraka ${refused}`],
    ['MODEL_TRAIN', 'naraka'],
  ])
  expect((await (await staff('APPRAISER')).send('/desk/models', { game: 'naraka' })).statusCode).toBe(404)
})

describe('coupons', () => {
  type Centre = Res<'coupon', 'canReceive'>
  const centre = async (): Promise<Centre> => (await server.call('coupon', 'canReceive', {})).body.data
  const named = async (name: string) => (await centre()).filter((c) => c.name === name)
  const request = { kind: 'AMOUNT', scope: 'MANUAL', audience: 'CENTRE', perUser: '1', days: '7' }

  test('a coupon added at the desk is in the centre at once, can be taken and is logged', async () => {
    const { see, send, staffId, formId } = await staff('ADMIN')
    const id = await formId('/desk/coupons')
    const made = { ...request, id, name: '双旦券', amount: '5.50', threshold: '39', total: '2' }
    // a double submit
    const answers = await Promise.all([send('/desk/coupons', made), send('/desk/coupons', made)])
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(2).fill('/desk/coupons?done=changed'))
    expect(await named('双旦券')).toMatchObject([
      {
        ...{ type: 'CASH_OFF', amountFen: 550, thresholdFen: 3900, scope: 'MANUAL' },
        ...{ total: 2, left: 2, perUser: 1, validType: 'DAYS', days: 7, state: 'AVAILABLE' },
      },
    ])
    expect(await logOf(staffId)).toEqual([['COUPON_ADD', id, '双旦券']])
    const { token } = await newUser()
    const got = await server.call('coupon', 'receive', { templateId: id }, { token })
    expect(got.body.data).toMatchObject({ name: '双旦券', amountFen: 550, status: 'UNUSED' })
    expect((await see('/desk/coupons')).body).toContain('1 / 2')
    expect((await see('/desk/log')).body).toContain('新增优惠券')
  })

  test('every kind, scope and period', async () => {
    const { send, formId } = await staff('ADMIN')
    const add = async (fields: Record<string, string>) => {
      const answer = await send('/desk/coupons', { ...request, id: await formId('/desk/coupons'), ...fields })
      expect([fields.name, alertIn(answer.body)]).toEqual([fields.name, ''])
      return (await named(fields.name ?? ''))[0]
    }
    expect(await add({ name: '立减', amount: '1' })).toMatchObject({ type: 'DIRECT', amountFen: 100, total: -1 })
    expect(await add({ name: '八折', kind: 'PERCENT', percent: '80', cap: '10' })).toMatchObject({
      ...{ type: 'PERCENT', percent: 80, capFen: 1000 },
    })
    expect(await add({ name: '体验', kind: 'FREE', scope: 'AI' })).toMatchObject({ type: 'FREE' })
    expect(await add({ name: '单游戏', amount: '1', scope: 'GAME', 'game-naraka': 'on' })).toMatchObject({
      ...{ scope: 'GAME', gameIds: ['naraka'] },
    })
    const dated = await add({ name: '定期', amount: '1', days: '', until: dayIn(2) })
    expect(dated).toMatchObject({ validType: 'DATE', endAt: Date.parse(`${dayIn(3)}T00:00:00+08:00`) })
  })

  test('invalid input is named, keeps the typed values and creates nothing', async () => {
    const { send, staffId, formId } = await staff('ADMIN')
    const id = await formId('/desk/coupons')
    const before = await db().selectFrom('coupon_templates').selectAll().orderBy('template_id').execute()
    const fine = { ...request, id, name: '写了很久的名称', amount: '5' }
    const cases: [Record<string, string>, string][] = [
      [{ name: ' ' }, '名称为 1-20 字'],
      [{ amount: '0' }, '减免金额应大于 0'],
      [{ amount: '-5' }, '减免金额应大于 0'],
      [{ amount: '5.555' }, '减免金额应大于 0'],
      [{ amount: '1000.01' }, '减免金额应大于 0，不超过 1000 元'],
      [{ amount: '20', threshold: '19' }, '减免金额不能高于使用门槛'],
      [{ threshold: 'abc' }, '使用门槛为 0-1000 元'],
      [{ kind: 'PERCENT', percent: '100' }, '折扣填实付的百分数'],
      [{ kind: 'PERCENT', percent: '80', cap: '0' }, '最多减应大于 0'],
      [{ kind: 'FREE', scope: 'ALL' }, '体验券只能用于 AI 完整报告'],
      [{ kind: 'FREE', scope: 'AI', threshold: '1' }, '体验券没有使用门槛'],
      [{ kind: 'GIFT' }, '请选择优惠方式'],
      [{ scope: 'ELSE' }, '请选择适用范围'],
      [{ scope: 'GAME' }, '请选择适用的游戏'],
      [{ audience: '' }, '请选择谁可以领取'],
      [{ total: '0' }, '发放总数为 1-1000000 的整数'],
      [{ perUser: '11' }, '每人最多为 1-10 的整数'],
      [{ days: '366' }, '有效天数为 1-365 的整数'],
      [{ days: '' }, '请填写有效天数，或使用的截止日期'],
      [{ until: dayIn(3) }, '有效天数和使用日期只填一种'],
      [{ days: '', until: '2026-02-30' }, '日期应写成'],
      [{ days: '', until: dayIn(-1) }, '截止日期已经过去'],
    ]
    for (const [change, words] of cases) {
      const answer = await send('/desk/coupons', { ...fine, ...change })
      expect([change, answer.statusCode]).toEqual([change, 400])
      expect(alertIn(answer.body)).toContain(words)
      if (change.name === undefined) expect(answer.body).toContain('value="写了很久的名称"')
      expect(answer.body).toContain(`name="id" value="${id}"`)
    }
    expect((await send('/desk/coupons', { ...fine, id: 'newcomer' })).statusCode).toBe(460)
    expect(await db().selectFrom('coupon_templates').selectAll().orderBy('template_id').execute()).toEqual(before)
    expect(await logOf(staffId)).toEqual([])
  })

  test('an ended template grants nothing more, its coupons stay; templates of rules cannot be ended', async () => {
    const { send, staffId, formId } = await staff('ADMIN')
    const id = await formId('/desk/coupons')
    await send('/desk/coupons', { ...request, id, name: '要结束', amount: '1' })
    const [a, b] = [await newUser(), await newUser()]
    await server.call('coupon', 'receive', { templateId: id }, { token: a.token })
    expect((await send(`/desk/coupons/${id}/end`)).headers.location).toBe('/desk/coupons?done=ended')
    expect((await send(`/desk/coupons/${id}/end`)).statusCode).toBe(404)
    expect(await named('要结束')).toMatchObject([{ state: 'ENDED' }])
    const late = await server.call('coupon', 'receive', { templateId: id }, { token: b.token })
    expect(late.body).toMatchObject({ code: 'COUPON_NOT_USABLE', msg: '领取已结束' })
    const held = await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, { token: a.token })
    expect(held.body.data.list.map((c) => c.name)).toContain('要结束')
    const given = await send(`/desk/coupons/${id}/give`, { id: await formId('/desk/coupons'), who: b.userId })
    expect(alertIn(given.body)).toContain('已结束，不能再发放')
    for (const known of ['newcomer', 'late', 'nothing'])
      expect((await send(`/desk/coupons/${known}/end`)).statusCode).toBe(404)
    expect((await logOf(staffId)).map(([action]) => action)).toEqual(['COUPON_ADD', 'COUPON_END'])
    // and it is no longer listed after a week
    server.clock.advance(7 * DAY)
    expect(await named('要结束')).toEqual([])
  })

  test('one for a user, by mobile number or id: it arrives once with a message, within the number per user', async () => {
    const { send, see, staffId, formId } = await staff('ADMIN')
    const id = await formId('/desk/coupons')
    await send('/desk/coupons', { ...request, id, name: '致歉券', amount: '3', audience: 'STAFF' })
    expect(await named('致歉券')).toEqual([])
    const user = await newUser()
    const taken = await server.call('coupon', 'receive', { templateId: id }, { token: user.token })
    expect(taken.body.code).toBe('NOT_FOUND')
    const give = async (who: string) => ({ id: await formId('/desk/coupons'), template: id, who })
    const wrong = await send(`/desk/coupons/${id}/give`, await give('13000000000'))
    expect([wrong.statusCode, alertIn(wrong.body)]).toEqual([400, '没有这位用户，请核对手机号或用户 ID'])
    expect(wrong.body).toContain('value="13000000000"')
    const once = await give(user.mobile)
    const answers = await Promise.all([once, once].map((fields) => send(`/desk/coupons/${id}/give`, fields)))
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(2).fill('/desk/coupons?done=given'))
    expect(alertIn((await send(`/desk/coupons/${id}/give`, await give(user.userId))).body)).toContain(
      '已达上限（1 张）',
    )
    const held = await server.call('coupon', 'getByStatus', { status: 'UNUSED' }, { token: user.token })
    expect(held.body.data.list.filter((c) => c.name === '致歉券')).toHaveLength(1)
    const told = (await inbox(user.token)).filter((m) => m.title === '优惠券已到账')
    expect(told).toMatchObject([{ summary: '送您一张“致歉券”（¥3），可在“我的优惠券”查看', bizType: 'COUPON' }])
    // the log contains no mobile number
    expect((await logOf(staffId)).at(-1)).toEqual(['COUPON_GIVE', user.userId, id])
    expect((await see('/desk/log')).body).not.toContain(user.mobile)
    for (const rules of ['newcomer', 'nothing'])
      expect((await send(`/desk/coupons/${rules}/give`, await give(user.userId))).statusCode).toBe(404)
  })

  test.each(['APPRAISER', 'CONSULTANT'] as const)('are not visible to %s', async (role) => {
    const [{ see, send }, admin] = [await staff(role), await staff('ADMIN')]
    const id = await admin.formId('/desk/coupons')
    expect((await see('/desk/coupons')).statusCode).toBe(404)
    expect((await see('/desk/chat')).body).not.toContain('/desk/coupons')
    expect((await send('/desk/coupons', { ...request, id, name: '我的', amount: '1' })).statusCode).toBe(404)
    expect((await send('/desk/coupons/manual-3/end')).statusCode).toBe(404)
    expect((await send('/desk/coupons/manual-3/give', { id, who: (await newUser()).userId })).statusCode).toBe(404)
    expect(await named('我的')).toEqual([])
  })
})

describe('messages', () => {
  const URL = '/desk/messages'
  const one = { kind: 'SYSTEM', target: 'ONE', title: '请补充资料', body: '您的订单还缺一张截图。' }
  const all = { kind: 'SYSTEM', target: 'ALL', title: '今晚维护', body: '今晚 23 点维护。', sure: 'on' }
  const setActivity = async ({ token }: { token: string }, pushActivity: boolean) =>
    expect((await server.call('user', 'updateSettings', { pushActivity }, { token })).body.success).toBe(true)
  const titled = async (token: string, title: string) => (await inbox(token)).filter((m) => m.title === title)

  test('to one user, by mobile number or id: it arrives once, unread, with its page; the log says who, not what', async () => {
    const { see, send, staffId, formId } = await staff('ADMIN')
    const user = await newUser()
    const made = { ...one, id: await formId(URL), who: user.mobile, link: '/pagesA/pages/mine/order/index' }
    const answers = await Promise.all([send(URL, made), send(URL, made)])
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(2).fill('/desk/messages?done=sent'))
    expect(await titled(user.token, '请补充资料')).toMatchObject([
      {
        ...{ type: 'SYSTEM', bizType: 'SYSTEM', read: false, link: '/pagesA/pages/mine/order/index' },
        ...{ summary: '您的订单还缺一张截图。', body: '您的订单还缺一张截图。' },
      },
    ])
    await send(URL, { ...one, id: await formId(URL), who: user.userId, title: '第二条', body: '一\n二' })
    expect(await titled(user.token, '第二条')).toMatchObject([{ summary: '一…', body: '一\n二' }])
    expect(await logOf(staffId)).toEqual([
      ['MESSAGE_ONE', user.userId, ''],
      ['MESSAGE_ONE', user.userId, ''],
    ])
    expect((await see('/desk/log')).body).not.toContain(user.mobile)
  })

  test('an activity does not reach a user whose 活动通知 is off, and does when it is on', async () => {
    const { send, staffId, formId } = await staff('ADMIN')
    const user = await newUser()
    const activity = { ...one, kind: 'ACTIVITY', title: '双旦活动', who: user.mobile }
    const refused = await send(URL, { ...activity, id: await formId(URL) })
    expect([refused.statusCode, alertIn(refused.body)]).toEqual([400, '这位用户没有开启“活动通知”，不能发送活动消息'])
    expect(refused.body).toContain('value="双旦活动"')
    expect(await titled(user.token, '双旦活动')).toEqual([])
    expect(await logOf(staffId)).toEqual([])
    await setActivity(user, true)
    await send(URL, { ...activity, id: await formId(URL) })
    expect(await titled(user.token, '双旦活动')).toMatchObject([{ bizType: 'ACTIVITY', read: false }])
  })

  test('to all: notices reach everybody, activities those who want them, nobody who came later', async () => {
    const { see, send, staffId, formId } = await staff('ADMIN')
    const [on, off] = [await newUser(), await newUser()]
    await setActivity(on, true)
    await setActivity(off, false)
    const ids = [await formId(URL), await formId(URL)] as const
    const notice = { ...all, id: ids[0] }
    await Promise.all([send(URL, notice), send(URL, notice)])
    await send(URL, { ...all, id: ids[1], kind: 'ACTIVITY', title: '全员活动' })
    expect((await see(URL)).body).toContain('发送中')
    server.clock.advance(1000)
    const late = await newUser()
    await setActivity(late, true)
    await server.lifecycle.jobRunner?.runAll()
    const got = async ({ token }: { token: string }) => [
      (await titled(token, '今晚维护')).length,
      (await titled(token, '全员活动')).length,
    ]
    expect([await got(on), await got(off), await got(late)]).toEqual([
      [1, 1],
      [1, 0],
      [0, 0],
    ])
    expect(await titled(on.token, '全员活动')).toMatchObject([{ type: 'SYSTEM', bizType: 'ACTIVITY' }])
    const page = (await see(URL)).body
    expect(page).toContain('已发完')
    expect(page).not.toContain('发送中')
    expect(await logOf(staffId)).toEqual([
      ['MESSAGE_ALL', ids[0], '今晚维护'],
      ['MESSAGE_ALL', ids[1], '全员活动'],
    ])
  })

  test('to all is sent in batches: what breaks in the middle goes on there, nobody is notified twice', async () => {
    await sql`insert into users (id, mobile, nickname, avatar, settings, created_at)
      select 'bulk' || lpad(n::text, 4, '0'), 'bulk' || n, '', '', '{}', 0 from generate_series(1, 1100) n`.execute(
      db(),
    )
    const { send, formId } = await staff('ADMIN')
    await sql`create function break_here() returns trigger language plpgsql as $$ begin
      if new.user_id = 'bulk0900' then raise exception 'broken'; end if; return new; end $$`.execute(db())
    await sql`create trigger break_here before insert on messages for each row execute function break_here()`.execute(
      db(),
    )
    const id = await formId(URL)
    await send(URL, { ...all, id, title: '分批' })
    await server.lifecycle.jobRunner?.runAll()
    const stands = () =>
      db().selectFrom('broadcasts').select(['sent', 'done_at']).where('id', '=', id).executeTakeFirstOrThrow()
    const boxes = async () => {
      const rows = await db().selectFrom('messages').select('user_id').where('title', '=', '分批').execute()
      expect(new Set(rows.map((row) => row.user_id)).size).toBe(rows.length)
      return rows.length
    }
    const half = await stands()
    expect(half.done_at).toBeNull()
    expect(half.sent % 500).toBe(0)
    expect([half.sent, await boxes()]).toEqual([500, 500])
    await sql`drop trigger break_here on messages`.execute(db())
    server.clock.advance(61_000)
    await server.lifecycle.jobRunner?.runAll()
    await server.lifecycle.jobRunner?.runAll()
    const { n } = await db()
      .selectFrom('users')
      .select((e) => e.fn.countAll<number>().as('n'))
      .where('erased', '=', false)
      .executeTakeFirstOrThrow()
    expect((await stands()).done_at).not.toBeNull()
    expect([(await stands()).sent, await boxes()]).toEqual([n, n])
    // after resetting it, nothing is added
    await db().updateTable('broadcasts').set({ last_user: '', done_at: null }).where('id', '=', id).execute()
    await server.lifecycle.jobRunner?.runAll()
    expect([(await stands()).sent, await boxes()]).toEqual([n, n])
  })

  test('to all can be withdrawn, also in the middle: nobody has it any more, nobody gets it, and it is logged once', async () => {
    const { see, send, staffId, formId } = await staff('ADMIN')
    const user = await newUser()
    const [gone, kept] = [await formId(URL), await formId(URL)]
    await send(URL, { ...all, id: gone, title: '写错了' })
    await send(URL, { ...all, id: kept, title: '写对了' })
    await server.lifecycle.jobRunner?.runAll()
    const unread = async () => (await server.call('user', 'get', {}, { token: user.token })).body.data.unread
    const before = await unread()
    expect(await titled(user.token, '写错了')).toHaveLength(1)
    const [first, second] = await Promise.all([send(`${URL}/${gone}/withdraw`), send(`${URL}/${gone}/withdraw`)])
    expect([first?.statusCode, second?.statusCode].sort()).toEqual([303, 404])
    expect([await titled(user.token, '写错了'), await unread()]).toEqual([[], before - 1])
    const list = (await server.call('user', 'messages', {}, { token: user.token })).body.data
    expect([list.total, list.unread]).toEqual([list.list.length, before - 1])
    expect(await titled(user.token, '写对了')).toHaveLength(1)
    expect((await see(URL)).body).toContain('已撤回')

    const early = await formId(URL)
    await send(URL, { ...all, id: early, title: '还没发' })
    await send(`${URL}/${early}/withdraw`)
    await server.lifecycle.jobRunner?.runAll()
    expect(await db().selectFrom('messages').select('id').where('title', '=', '还没发').execute()).toEqual([])
    expect((await logOf(staffId)).filter(([action]) => action === 'MESSAGE_WITHDRAW')).toEqual([
      ['MESSAGE_WITHDRAW', gone, '写错了'],
      ['MESSAGE_WITHDRAW', early, '还没发'],
    ])
    const appraiser = await staff('APPRAISER')
    expect((await appraiser.send(`${URL}/${kept}/withdraw`)).statusCode).toBe(404)
    expect(await titled(user.token, '写对了')).toHaveLength(1)
  })

  test('invalid input is named, keeps the typed values and sends nothing', async () => {
    const { send, staffId, formId } = await staff('ADMIN')
    const user = await newUser()
    const before = await inbox(user.token)
    const id = await formId(URL)
    const fine = { ...one, id, who: user.mobile }
    const cases: [Record<string, string>, string][] = [
      [{ title: ' ' }, '标题为 1-20 字'],
      [{ title: '长'.repeat(21) }, '标题为 1-20 字'],
      [{ body: '\n' }, '正文为 1-500 字'],
      [{ kind: 'PAID' }, '请选择消息类型'],
      [{ link: 'https://a.example/' }, '链接应为本应用的页面'],
      [{ link: '/pages/home/webview/index?url=javascript:alert(1)' }, '链接应为本应用的页面'],
      [{ who: '' }, '没有这位用户'],
      [{ who: '13000000000' }, '没有这位用户'],
      [{ target: '' }, '请选择发给谁'],
      [{ target: 'ALL', who: '' }, '请勾选确认发给全部用户'],
      [{ target: 'ALL', sure: 'on' }, '发给全部用户时不填手机号'],
    ]
    for (const [change, words] of cases) {
      const answer = await send(URL, { ...fine, ...change })
      expect([change, answer.statusCode]).toEqual([change, 400])
      expect(alertIn(answer.body)).toContain(words)
      if (change.body === undefined) expect(answer.body).toContain(one.body)
      expect(answer.body).toContain(`name="id" value="${id}"`)
    }
    expect((await send(URL, { ...fine, id: 'x' })).statusCode).toBe(460)
    await server.lifecycle.jobRunner?.runAll()
    expect(await inbox(user.token)).toEqual(before)
    expect(await logOf(staffId)).toEqual([])
  })

  test.each(['APPRAISER', 'CONSULTANT'] as const)('are not visible to %s', async (role) => {
    const [{ see, send }, admin, user] = [await staff(role), await staff('ADMIN'), await newUser()]
    const id = await admin.formId(URL)
    expect((await see(URL)).statusCode).toBe(404)
    expect((await send(URL, { ...one, id, who: user.mobile })).statusCode).toBe(404)
    expect((await send(URL, { ...all, id })).statusCode).toBe(404)
    expect(await titled(user.token, one.title)).toEqual([])
    expect(await db().selectFrom('broadcasts').select('id').where('id', '=', id).execute()).toEqual([])
  })
})

describe('the later sale of an account', () => {
  async function reported() {
    const config = await configOf(server, 'naraka')
    const { token } = await newUser()
    const { gameId, schemaVersion } = config
    const request = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
    const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
    const { predict_fen } = await db()
      .selectFrom('reports')
      .select('predict_fen')
      .where('order_id', '=', orderId)
      .executeTakeFirstOrThrow()
    const url = `/desk/orders/${orderId}`
    const evaluation = async () => (await server.call('evaluation', 'getEvaluation', { orderId }, { token })).body.data
    const review = (more: { soldFen?: number } = {}) =>
      server.call('evaluation', 'saveEvaluation', { orderId, score: 5, accuracy: 'FAIR', ...more }, { token })
    return { orderId, token, url, yuan: Math.round(predict_fen / 100), evaluation, review }
  }
  const notedOf = (orderId: string) =>
    db().selectFrom('orders').select(['sold_fen', 'sold_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
  const logged = async (orderId: string) =>
    (
      await db()
        .selectFrom('desk_log')
        .select(['action', 'note'])
        .where('order_id', '=', orderId)
        .orderBy('id')
        .execute()
    ).map(({ action, note }) => [action, note])

  test('a price recorded at the desk shows on the order’s page and in a rating without a price', async () => {
    const { see, send } = await staff('ADMIN')
    const { orderId, url, yuan, evaluation, review } = await reported()
    await review()
    expect(await evaluation()).not.toHaveProperty('soldFen')
    const said = { soldPrice: `${yuan}.50`, soldDay: dayIn(0) }
    const answers = await Promise.all([send(`${url}/sold`, said), send(`${url}/sold`, said)])
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(2).fill(`${url}?done=changed`))
    const soldAt = Date.parse(`${dayIn(0)}T00:00:00+08:00`)
    expect(await notedOf(orderId)).toEqual({ sold_fen: yuan * 100 + 50, sold_at: soldAt })
    expect(await evaluation()).toMatchObject({ soldFen: yuan * 100 + 50, soldAt })
    const sales = () =>
      db().selectFrom('sales').select(['price_fen', 'channel', 'at']).where('source', '=', 'appraiser').execute()
    // the models learn from it, once
    expect(await sales()).toEqual([{ price_fen: yuan * 100 + 50, channel: 'APPRAISER', at: soldAt }])
    const page = (await see(url)).body
    expect(page).toContain(`value="${yuan}.50"`)
    expect(page).toContain('<dt>成交价</dt>')
    // one log entry for the double submit, one for each change
    await send(`${url}/sold`, { soldPrice: String(yuan), soldDay: '' })
    expect(await sales()).toEqual([{ price_fen: yuan * 100, channel: 'APPRAISER', at: soldAt }])
    await send(`${url}/sold`, { soldPrice: '', soldDay: '' })
    expect(await sales()).toEqual([])
    expect(await notedOf(orderId)).toEqual({ sold_fen: null, sold_at: null })
    expect(await evaluation()).not.toHaveProperty('soldFen')
    const log = await logged(orderId)
    expect(log.map(([action]) => action)).toEqual(['SALE', 'SALE', 'SALE'])
    expect(log.at(-1)).toEqual(['SALE', '清除'])
    expect((await see('/desk/log')).body).toContain('登记成交价')
  })

  test('a price given by the owner is not overwritten', async () => {
    const { see, send } = await staff('ADMIN')
    const { url, yuan, evaluation, review } = await reported()
    await review({ soldFen: yuan * 90 })
    await send(`${url}/sold`, { soldPrice: String(yuan), soldDay: '' })
    expect(await evaluation()).toMatchObject({ soldFen: yuan * 90 })
    expect((await see(url)).body).toContain('用户填写的成交价')
  })

  test('an implausible price is refused, named and kept in the form', async () => {
    const { send } = await staff('ADMIN')
    const { orderId, url, yuan } = await reported()
    const cases: [Record<string, string>, string][] = [
      [{ soldPrice: '0' }, '成交价为 1 元至 1000 万元'],
      [{ soldPrice: '0.99' }, '成交价为 1 元至 1000 万元'],
      [{ soldPrice: '-1' }, '请填写成交价（元）'],
      [{ soldPrice: 'abc' }, '请填写成交价（元）'],
      [{ soldPrice: '', soldDay: dayIn(0) }, '请填写成交价（元）'],
      [{ soldPrice: '10000000.01' }, '成交价为 1 元至 1000 万元'],
      [{ soldPrice: String(yuan * 11) }, '相差超过 10 倍'],
      [{ soldPrice: String(Math.floor(yuan / 11)) }, '相差超过 10 倍'],
      [{ soldPrice: String(yuan), soldDay: dayIn(1) }, '成交日期不能晚于今天'],
      [{ soldPrice: String(yuan), soldDay: dayIn(-2) }, '成交日期不能早于估价'],
      [{ soldPrice: String(yuan), soldDay: '11-23' }, '日期应写成 2026-11-21'],
    ]
    for (const [fields, words] of cases) {
      const answer = await send(`${url}/sold`, fields)
      expect([fields, answer.statusCode]).toEqual([fields, 400])
      expect(alertIn(answer.body)).toContain(words)
      expect(answer.body).toContain(
        `name="soldPrice" inputmode="decimal" autocomplete="off" value="${fields.soldPrice}"`,
      )
    }
    expect(await notedOf(orderId)).toEqual({ sold_fen: null, sold_at: null })
    expect(await logged(orderId)).toEqual([])
  })

  test.each(['APPRAISER', 'CONSULTANT'] as const)(
    'is not a business of %s, and nobody’s without a report',
    async (role) => {
      const [{ send }, admin] = [await staff(role), await staff('ADMIN')]
      const { orderId, url, yuan } = await reported()
      expect((await send(`${url}/sold`, { soldPrice: String(yuan) })).statusCode).toBe(404)
      await db().updateTable('orders').set({ reported_at: null }).where('id', '=', orderId).execute()
      expect((await admin.send(`${url}/sold`, { soldPrice: String(yuan) })).statusCode).toBe(409)
      expect(await notedOf(orderId)).toEqual({ sold_fen: null, sold_at: null })
    },
  )
})
