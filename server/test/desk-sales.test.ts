/** What admins decide of the market: partners, sales that wait, models, and the later sale of an account. */

import { depsOf } from '../core/lifecycle'
import type { SaleChannel } from '../db/sale-channels'
import { type HeldSale, insertSales, storeSales } from '../db/sales'
import { deleteAccounts } from '../domains/accounts/account-deletion'
import { isOrdered } from '../domains/models/staff-decisions'
import { alertIn, DAY, setupAdmin } from './desk-admin'
import { jpeg } from './pictures'

const { server, db, staff, valued, logOf, dayIn } = setupAdmin()

test('partners: a key is shown once, stopped, rotated, and every change is logged', async () => {
  const { staffId, see, send } = await staff()
  const add = async (name: string) => (await send('/desk/partners', { name })).body
  const made = await add('甲平台')
  const key = /<code>(pk_\w{20})<\/code>/.exec(made)?.[1] ?? ''
  for (const body of [made, await add('P1')]) expect(body).toContain('只显示这一次')
  for (const [name, why] of [
    ['甲平台', '已有名为'],
    ['p1', 'P1'],
    ['ｐ１', 'P1'],
    ['Staff', '系统'],
    ['follow-up', '系统'],
  ] as const)
    expect(alertIn(await add(name))).toContain(why)
  const change = async (what: string, of = key) => (await send(`/desk/partners/${of}/${what}`)).statusCode
  const list = async () => (await see('/desk/partners')).body
  expect(await change('stop')).toBe(303)
  expect(await list()).toContain('启用')
  expect(await change('resume')).toBe(303)
  expect((await send(`/desk/partners/${key}/rotate`)).body).toContain('只显示这一次')
  await db().updateTable('partners').set({ moved_level: '最近的成交偏高' }).where('partner_id', '=', key).execute()
  expect(await list()).toContain('最近的成交偏高')
  expect(await change('settle')).toBe(303)
  expect(await list()).not.toContain('最近的成交偏高')
  expect(await change('stop', 'none')).toBe(404)
  expect((await logOf(staffId)).map(([action]) => action)).toEqual([
    ...['PARTNER_ADD', 'PARTNER_ADD', 'PARTNER_STOP', 'PARTNER_RESUME', 'PARTNER_RENEW', 'PARTNER_SETTLE'],
  ])
})

test('a held sale is accepted or refused once, and logged; a source can be decided as a whole', async () => {
  const { staffId, see, send, sendTwice } = await staff()
  const now = server.clock.now()
  const held = (n: number, source: string): HeldSale => ({
    ...{ gameId: 'naraka', kind: 'SOLD', priceFen: 900_000 + n, at: now - DAY, source, externalId: `${n}` },
    ...{ attributes: { heroCount: 12 }, channel: 'PARTNER', reason: 'OUTLIER', marketFen: 100_000, residual: 2.2 },
  })
  await storeSales(db(), [held(1, 'p-a'), held(2, 'p-a'), held(3, 'p-b'), held(4, 'p-b')], now)
  const urlOf = async (n: number) => {
    const row = db().selectFrom('held_sales').select('id').where('external_id', '=', `${n}`)
    return `/desk/sales/${(await row.executeTakeFirstOrThrow()).id}`
  }
  const page = (await see('/desk/sales')).body
  expect(page).toContain('¥9,000.01')
  expect(page).toContain('（9.00 倍）')
  expect((await see('/desk/sales?q=p-b')).body).not.toContain('¥9,000.01')
  const [first, second] = [await urlOf(1), await urlOf(2)]
  expect(alertIn((await send(first, {})).body)).toContain('请选择')
  const answers = await sendTwice(first, { decision: 'ACCEPTED' })
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  expect((await send(second, { decision: 'REFUSED' })).statusCode).toBe(303)
  const whole = { source: 'p-b', decision: 'ACCEPTED' }
  for (const status of [303, 404]) expect((await send('/desk/sales/source', whole)).statusCode).toBe(status)
  const stored = db().selectFrom('sales').select('external_id').where('source', 'in', ['p-a', 'p-b'])
  expect((await stored.orderBy('external_id').execute()).map((r) => r.external_id)).toEqual(['1', '3', '4'])
  expect(await logOf(staffId)).toEqual([
    ['SALE_ACCEPT', 'naraka ¥9,000.01', ''],
    ['SALE_REFUSE', 'naraka ¥9,000.02', ''],
    ['SALE_ACCEPT', 'p-b ×2', ''],
  ])
})

test('a sale of a partner or an import is removed, so that it can be sent corrected', async () => {
  const { staffId, see, send } = await staff()
  const sale = (externalId: string, channel: SaleChannel): HeldSale => ({
    ...{ gameId: 'naraka', kind: 'SOLD', priceFen: 100_000, at: server.clock.now() - DAY, source: 'p-correct' },
    ...{ externalId, attributes: { heroCount: 12 }, channel, reason: 'OUTLIER' },
  })
  await insertSales(db(), [sale('1', 'PARTNER'), sale('3', 'FOLLOW_UP')])
  await storeSales(db(), [sale('2', 'IMPORT')], server.clock.now())
  const remove = (externalId: string) => send('/desk/sales/remove', { source: 'p-correct', externalId })
  for (const externalId of ['1', '2']) expect((await remove(externalId)).statusCode).toBe(303)
  for (const externalId of ['1', '3']) expect(alertIn((await remove(externalId)).body)).toContain('没有这一条')
  expect(await db().selectFrom('held_sales').select('id').where('source', '=', 'p-correct').execute()).toEqual([])
  expect(await db().selectFrom('training_orders').select('game_id').execute()).toContainEqual({ game_id: 'naraka' })
  expect((await see('/desk/log')).body).toContain('移除成交')
  expect(await logOf(staffId)).toEqual([
    ['SALE_REMOVE', 'p-correct 1', ''],
    ['SALE_REMOVE', 'p-correct 2', ''],
  ])
  await db().deleteFrom('sales').where('source', '=', 'p-correct').execute()
  await db().deleteFrom('training_orders').execute()
})

/** The owner of a report tells that the account was sold for this many times its value. */
async function tellSold(
  { token, orderId, predictFen }: Awaited<ReturnType<typeof valued>>,
  times: number,
  images: string[] = [],
) {
  const told = { outcome: 'SOLD' as const, soldFen: times * predictFen, soldAt: server.clock.now(), images }
  expect((await server.call('sale', 'report', { orderId, consent: true, ...told }, { token })).status).toBe(200)
}

test('reported sales that are accepted together join the others as the same accounts, and are thanked for', async () => {
  const { send } = await staff()
  const made = await valued()
  const { userId, orderId, token } = made
  await db().updateTable('users').set({ code_client: 'a-device' }).where('id', '=', userId).execute()
  await tellSold(made, 6)
  const sales = (table: 'sales' | 'held_sales') =>
    db().selectFrom(table).select(['reporter', 'device', 'price_fen', 'channel']).where('source', '=', 'follow-up')
  const held = await sales('held_sales').execute()
  expect(held).toMatchObject([{ channel: 'FOLLOW_UP', device: expect.not.stringContaining('a-device') }])
  const all = { source: 'follow-up', decision: 'ACCEPTED' }
  expect((await send('/desk/sales/source', all)).statusCode).toBe(303)
  expect(await sales('sales').execute()).toEqual(held)
  expect((await server.call('sale', 'followUp', { orderId }, { token })).body.data).toMatchObject({ thanked: true })
})

test('staff see the screenshot of a held sale by a link that expires, until the account is deleted', async () => {
  const { see } = await staff()
  const deps = depsOf(server.lifecycle)
  const made = await valued()
  const { userId } = made
  const image = await deps.providers.storage.put(userId, jpeg, server.clock.now())
  await tellSold(made, 7, [image])
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
  expect(await deps.providers.storage.typeOf(image)).toBeUndefined()
})

test('any model is put into use, or another trained, with one button beside its figures', async () => {
  const { staffId, see, send, sendTwice } = await staff()
  const models = db().selectFrom('models')
  const make = async (active: boolean) => {
    const { id: _, accuracy: __, ...row } = await models.selectAll().orderBy('id').executeTakeFirstOrThrow()
    const figures = { n: 60, champion_error: 0.121, challenger_error: 0.143, moved: 0.052, refused: '<b>高于在用模型' }
    const made = db()
      .insertInto('models')
      .values({ ...row, ...(active ? {} : figures), active })
    return (await made.returning('id').executeTakeFirstOrThrow()).id
  }
  const refused = await make(false)
  await db().updateTable('models').set({ active: false }).where('active', '=', true).execute()
  const fresh = await make(true)
  const page = async () => (await see('/desk/models')).body
  const row = (await page()).match(RegExp(`<td class="num">${refused}</td>.*?</tr>`, 's'))?.[0] ?? ''
  expect([...row.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map((found) => found[1]).slice(3)).toEqual([
    ...[expect.stringContaining('%'), '60', '12.1%', '14.3%', '5.2%', '&#60;b&#62;高于在用模型'],
  ])
  expect(row).toContain(`name="seen" value="${fresh}"`)
  // beyond twice the error it shows the figures only
  const err = (challenger_error: number) =>
    db().updateTable('models').set({ challenger_error }).where('id', '=', refused).execute()
  await err(0.25)
  expect(await page()).not.toContain(`value="${refused}">换上`)
  await err(0.143)
  const use = { game: 'naraka', seen: `${fresh}`, use: `${refused}` }
  const answers = await sendTwice('/desk/models', use)
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([303, 404])
  expect(alertIn((await send('/desk/models', use)).body)).toContain('在用模型已更换，请刷新后重试')
  expect(await models.select('id').where('active', '=', true).execute()).toEqual([{ id: refused }])
  const train = async (game: string) => (await send('/desk/models', { game, use: '' })).statusCode
  const isToBeTrained = () => isOrdered(db(), 'naraka', 0, server.clock.now())
  expect([await isToBeTrained(), await train('naraka'), await isToBeTrained()]).toEqual([false, 303, true])
  expect(await train('none')).toBe(404)
  expect((await logOf(staffId)).map((entry) => entry.slice(0, 2))).toEqual([
    ['MODEL_USE', `naraka ${refused}`],
    ['MODEL_TRAIN', 'naraka'],
  ])
})

describe('the later sale of an account', () => {
  async function reported() {
    const { token, orderId, predictFen } = await valued()
    const url = `/desk/orders/${orderId}`
    const evaluation = async () => (await server.call('evaluation', 'getEvaluation', { orderId }, { token })).body.data
    const review = (more: { soldFen?: number } = {}) =>
      server.call('evaluation', 'saveEvaluation', { orderId, score: 5, accuracy: 'FAIR', ...more }, { token })
    const noted = () =>
      db().selectFrom('orders').select(['sold_fen', 'sold_at']).where('id', '=', orderId).executeTakeFirstOrThrow()
    const logged = async () => {
      const log = db().selectFrom('desk_log').select(['action', 'note']).where('order_id', '=', orderId)
      return (await log.orderBy('id').execute()).map(({ action, note }) => `${action} ${note}`)
    }
    return { url, yuan: Math.round(predictFen / 100), evaluation, review, noted, logged }
  }
  const nothing = { sold_fen: null, sold_at: null }

  test('a price recorded at the desk shows on the order’s page and in a rating without a price', async () => {
    const { see, send, sendTwice } = await staff()
    const { url, yuan, evaluation, review, noted, logged } = await reported()
    await review()
    expect(await evaluation()).not.toHaveProperty('soldFen')
    const answers = await sendTwice(`${url}/sold`, { soldPrice: `${yuan}.50`, soldDay: dayIn(0) })
    expect(answers.map(({ headers }) => headers.location)).toEqual(Array(2).fill(`${url}?done=changed`))
    const soldAt = Date.parse(`${dayIn(0)}T00:00:00+08:00`)
    const soldFen = yuan * 100 + 50
    expect(await noted()).toEqual({ sold_fen: soldFen, sold_at: soldAt })
    expect(await evaluation()).toMatchObject({ soldFen, soldAt })
    const sales = () =>
      db().selectFrom('sales').select(['price_fen', 'channel', 'at']).where('source', '=', 'appraiser').execute()
    // the models learn from it, once
    expect(await sales()).toEqual([{ price_fen: soldFen, channel: 'APPRAISER', at: soldAt }])
    const page = (await see(url)).body
    expect(page).toContain(`value="${yuan}.50"`)
    expect(page).toContain('<dt>成交价</dt>')
    await send(`${url}/sold`, { soldPrice: String(yuan), soldDay: '' })
    expect(await sales()).toEqual([{ price_fen: yuan * 100, channel: 'APPRAISER', at: soldAt }])
    await send(`${url}/sold`, { soldPrice: '', soldDay: '' })
    expect([await sales(), await noted()]).toEqual([[], nothing])
    expect(await evaluation()).not.toHaveProperty('soldFen')
    // one entry for the double submit, one for each change
    expect(await logged()).toEqual([expect.stringMatching(/^SALE /), expect.stringMatching(/^SALE /), 'SALE 清除'])
    expect((await see('/desk/log')).body).toContain('登记成交价')
  })

  test('a price given by the owner is not overwritten', async () => {
    const { send } = await staff()
    const { url, yuan, evaluation, review } = await reported()
    await review({ soldFen: yuan * 90 })
    await send(`${url}/sold`, { soldPrice: String(yuan), soldDay: '' })
    expect(await evaluation()).toMatchObject({ soldFen: yuan * 90 })
  })

  test('an implausible price is refused, named and kept in the form', async () => {
    const { send } = await staff()
    const { url, yuan, noted, logged } = await reported()
    const cases: [soldPrice: string, words: string, soldDay?: string][] = [
      ['0', '成交价为 1 元至 1000 万元'],
      ['0.99', '成交价为 1 元至 1000 万元'],
      ['-1', '请填写成交价（元）'],
      ['abc', '请填写成交价（元）'],
      ['', '请填写成交价（元）', dayIn(0)],
      ['10000000.01', '成交价为 1 元至 1000 万元'],
      [String(yuan * 11), '相差超过 10 倍'],
      [String(Math.floor(yuan / 11)), '相差超过 10 倍'],
      [String(yuan), '成交日期不能晚于今天', dayIn(1)],
      [String(yuan), '成交日期不能早于估价', dayIn(-2)],
      [String(yuan), '日期应写成 2026-11-21', '11-23'],
    ]
    for (const [soldPrice, words, soldDay] of cases) {
      const answer = await send(`${url}/sold`, { soldPrice, ...(soldDay !== undefined && { soldDay }) })
      expect([soldPrice, answer.statusCode]).toEqual([soldPrice, 400])
      expect(alertIn(answer.body)).toContain(words)
      expect(answer.body).toContain(`name="soldPrice" inputmode="decimal" autocomplete="off" value="${soldPrice}"`)
    }
    expect([await noted(), await logged()]).toEqual([nothing, []])
  })

  test('is not a business of others than admins, and nobody’s without a report', async () => {
    const { url, yuan, noted } = await reported()
    const soldPrice = String(yuan)
    for (const role of ['APPRAISER', 'CONSULTANT'] as const)
      expect((await (await staff(role)).send(`${url}/sold`, { soldPrice })).statusCode).toBe(404)
    const id = url.split('/').at(-1) ?? ''
    await db().updateTable('orders').set({ reported_at: null }).where('id', '=', id).execute()
    expect((await (await staff()).send(`${url}/sold`, { soldPrice })).statusCode).toBe(409)
    expect(await noted()).toEqual(nothing)
  })
})
