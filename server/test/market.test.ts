import { sql } from 'kysely'
import { FEATURED_REPORT_TOKEN, HOME_SAMPLES } from '@/contract/constants'
import type { FormConfig } from '@/contract/form/types'
import { insertSales, type SaleRow } from '../db/sales'
import { marketStatisticsJob } from '../domains/market/statistics'
import { medianDays } from '../domains/models/sales/survival'
import { generateSales } from '../fixtures/synthetic/generate'
import { setupServer, someAnswers } from './harness'
import { adult, configOf } from './orders'

const DAY = 86_400_000
let config: FormConfig

const server = setupServer({ games: ['naraka'] })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})

/** Recomputes the figures a day later. */
async function compute() {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  server.clock.advance(DAY + 1)
  await marketStatisticsJob.run(deps, server.clock.now())
}
/** @returns recomputes the market as of now, with the sales of that time */
function recomputation() {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const now = server.clock.now()
  return async () => {
    await server.database.db.updateTable('market_statistics').set({ made_at: 0 }).execute()
    await marketStatisticsJob.run(deps, now)
    return page()
  }
}
const page = async (gameId = 'naraka') => (await server.call('market', 'game', { gameId })).body.data

let users = 0
async function report() {
  const { token } = await adult(server, `1370000${String(++users).padStart(4, '0')}`)
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config, users), source: 'TYPED' as const }
  const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
  const get = () => server.call('evaluation', 'reportGet', { orderId }, { token })
  return { token, orderId, get }
}
/** Days to sell at some times of the estimate. */
async function daysAt(...ratios: number[]) {
  const statistics = await server.lifecycle.deps?.repositories.publicStatistics.market(config.gameId)
  return ratios.map((ratio) => statistics?.sellTime && medianDays(statistics.sellTime, Math.log(ratio)))
}
const unlock = (orderId: string) =>
  server.database.db.updateTable('reports').set({ status: 'UNLOCKED' }).where('order_id', '=', orderId).execute()

/** Real sales, of which the expensive ones took longer to sell. */
function listed(n: number, source: string): SaleRow[] {
  const sales = [...generateSales(config, { n: 3 * n, until: server.clock.now(), seed: 77 })]
  return sales
    .filter(({ kind }) => kind === 'SOLD')
    .slice(0, n)
    .map((sale, i) => {
      const dear = i % 3
      const at = server.clock.now() - (i % 200) * DAY - DAY
      const priceFen = Math.round(sale.priceFen * (0.6 + 0.4 * dear))
      return { ...sale, source, externalId: `${i}`, at, priceFen, listedAt: at - (2 + 20 * dear + (i % 5)) * DAY }
    })
}

test('a game without figures has an empty page; an unknown one is not found', async () => {
  expect(await page()).toMatchObject({ gameName: config.name, weeks: [], rises: [], falls: [] })
  expect((await server.call('market', 'game', { gameId: 'nope' })).status).toBe(404)
})

test('the index of 52 weeks has its share of synthetic sales', async () => {
  await compute()
  const { weeks, syntheticShare, madeAt, sold30 } = await page()
  expect(weeks).toHaveLength(52)
  expect(syntheticShare).toBe(1)
  expect(server.clock.now() - (madeAt ?? 0)).toBeLessThan(60_000)
  expect(sold30).toBeGreaterThan(0)
  for (const { index, low, high } of weeks)
    if (index !== null) expect(index >= (low ?? 0) && index <= (high ?? 0)).toBe(true)
})

test('home shows the price of a sold account if no report may be shown, marked as based on generated sales', async () => {
  const { list, total } = (await server.call('app', 'excellentReportList', HOME_SAMPLES)).body.data
  expect(total).toBe(0)
  const [card, ...others] = list
  expect(others).toEqual([])
  expect(card).toMatchObject({ gameId: 'naraka', reportNo: 'example-naraka', nickMasked: '', synthetic: true })
  const { lowFen = 0, predictFen = 0, highFen = 0, soldFen = [], title } = card ?? {}
  expect(title).toContain(config.name)
  expect(lowFen < predictFen && predictFen < highFen).toBe(true)
  expect(soldFen.length).toBeGreaterThan(0)
  // it leads to a whole report, which nobody owns
  const link = { reportNo: 'example-naraka', shareToken: FEATURED_REPORT_TOKEN }
  const { data } = (await server.call('evaluation', 'reportGet', link)).body
  expect(data).toMatchObject({ title, status: 'UNLOCKED', mine: false, price: { lowFen, predictFen, highFen } })
  expect(data.breakdown.reduce((sum, line) => sum + line.amountFen, 0)).toBe(predictFen)
  expect(data.model).toMatchObject({ synthetic: true, syntheticShare: 1 })
  for (const reportNo of ['example-nope', 'example-'])
    expect((await server.call('evaluation', 'reportGet', { ...link, reportNo })).body.code).toBe('SHARE_REVOKED')
  // the list of featured reports has real reports only
  expect((await server.call('app', 'excellentReportList', { pageNo: 1 })).body.data.list).toEqual([])
})

test('a report has its price over the last year by the market index, ending with its own price', async () => {
  const { orderId, get } = await report()
  await unlock(orderId)
  const { data } = (await get()).body
  const { trend = [], price, createdAt } = data
  expect(trend.length).toBeGreaterThan(6)
  expect(trend.at(-1)).toEqual({ at: createdAt, fen: price.predictFen })
  expect(trend.map(({ at }) => at)).toEqual(trend.map(({ at }) => at).sort((a, b) => a - b))
  for (const { fen } of trend) expect(fen / price.predictFen > 0.5 && fen / price.predictFen < 2).toBe(true)
})

test('a featured report has the same price over the last year', async () => {
  const { orderId, token, get } = await report()
  await unlock(orderId)
  await server.call('user', 'updateSettings', { showAsExample: true }, { token })
  await server.database.db
    .updateTable('reports')
    .set({ body: sql`jsonb_set(body, '{confidence,level}', '"HIGH"')` })
    .where('order_id', '=', orderId)
    .execute()
  const { reportNo, trend } = (await get()).body.data
  expect(trend?.length).toBeGreaterThan(6)
  const featured = { reportNo, shareToken: FEATURED_REPORT_TOKEN }
  expect((await server.call('evaluation', 'reportGet', featured)).body.data).toMatchObject({ reportNo, trend })
})

test('times to sell need 50 sales that recorded one, regardless of open offers; they grow with the price', async () => {
  const { get, token, orderId } = await report()
  const { gameId, schemaVersion } = config
  const second = { gameId, schemaVersion, answers: someAnswers(config, 20), source: 'TYPED' as const }
  const other = (await server.call('evaluation', 'submitAi', second, { token })).body.data.orderId
  const compared = async () =>
    (await server.call('evaluation', 'contrastAnalysis', { orderIds: [orderId, other] }, { token })).body.data.rows
  const speeds = async () => (await compared()).find(({ label }) => label === '出手速度')?.values
  await unlock(orderId)
  const unsold = listed(40, 'unsold').map((sale) => ({ ...sale, kind: 'ASKING' as const }))
  await insertSales(server.database.db, [...listed(49, 'few'), ...unsold])
  await compute()
  expect(await daysAt(1)).toEqual([undefined])
  expect((await get()).body.data).not.toHaveProperty('liquidity')
  expect(await speeds()).toBeUndefined()
  await insertSales(server.database.db, listed(300, 'many'))
  await compute()
  const [quick = 0, usual = 0, dear = 0] = await daysAt(0.9, 1, 1.1)
  expect(quick).toBeLessThanOrEqual(usual)
  expect(usual).toBeLessThanOrEqual(dear)
  expect(quick).toBeLessThan(dear)
  // the report and the comparison say the same
  const { liquidity, price } = (await get()).body.data
  const days = await daysAt(price.quickFen / price.predictFen, price.listFen / price.predictFen)
  expect(liquidity).toEqual({ level: 'NORMAL', days })
  expect(await speeds()).toEqual([`一般 · ${days.join('–')} 天`, '解锁后可见'])
})

test('offers that people tell of their own accounts move no figure of the market; those of partners do', async () => {
  const offers = (channel: SaleRow['channel']) =>
    listed(200, `${channel}`).map(
      (sale): SaleRow => ({
        ...sale,
        ...{ kind: 'ASKING', priceFen: 5 * sale.priceFen, channel },
      }),
    )
  const figures = recomputation()
  const before = await figures()
  await insertSales(server.database.db, [...offers('LISTING'), ...offers('FOLLOW_UP')])
  expect(await figures()).toEqual(before)
  await insertSales(server.database.db, offers('PARTNER'))
  expect((await figures()).weeks).not.toEqual(before.weeks)
})

test('500 real sales replace the synthetic ones, unless people report them of themselves', async () => {
  const told = listed(520, 'follow-up').map((sale) => ({ ...sale, channel: 'FOLLOW_UP' as const }))
  await insertSales(server.database.db, told)
  await compute()
  expect((await page()).syntheticShare).toBeGreaterThan(0)
  await server.database.db.deleteFrom('sales').where('source', '=', 'follow-up').execute()
  await insertSales(server.database.db, listed(520, 'real'))
  await compute()
  expect((await page()).syntheticShare).toBe(0)
})

test('200 people who tell of sales 30 % above the market move the index of that week by less than 5 %', async () => {
  const figures = recomputation()
  const before = await figures()
  const day = (i: number) => server.clock.now() - (1 + (i % 5)) * DAY
  const told = listed(200, 'campaign').map(
    (sale, i): SaleRow => ({
      ...{ ...sale, channel: 'FOLLOW_UP', at: day(i), listedAt: undefined, reporter: `r${i}`, device: `d${i}` },
      priceFen: Math.round(1.3 * sale.priceFen),
    }),
  )
  await insertSales(server.database.db, told)
  const after = await figures()
  const [old, moved] = [before, after].map(({ weeks }) => weeks.at(-1)?.index ?? 0)
  expect(after.weeks.at(-1)?.n).toBe((before.weeks.at(-1)?.n ?? 0) + 200)
  expect(Math.abs((moved ?? 0) / (old ?? 0) - 1)).toBeLessThan(0.05)
  expect([after.rises, after.falls]).toEqual([before.rises, before.falls])
})

test('one partner with 40 sources, or 300 people, who tell false prices and dates move index and time to sell little', async () => {
  const { db } = server.database
  await db.deleteFrom('sales').where('source', '<>', 'synthetic').execute()
  const market = [...generateSales(config, { n: 6_000, until: server.clock.now(), seed: 78 })]
    .filter(({ kind }) => kind === 'SOLD')
    .map((sale, i): SaleRow => ({ ...sale, source: 'honest', listedAt: sale.at - (2 + (i % 30)) * DAY }))
  await insertSales(db, market.slice(0, 1_500))
  const figures = recomputation()
  const timeOf = async () => (await daysAt(1))[0] ?? 0
  const before = await figures()
  const days = await timeOf()
  expect(days).toBeGreaterThan(5)
  await db
    .insertInto('partners')
    .values({ partner_id: 'pk_liar', name: 'liar', secret_sealed: '', created_at: 0 })
    .execute()
  const source = (i: number) => `liar ${i % 40}`
  await db
    .insertInto('partner_sources')
    .values(Array.from({ length: 40 }, (_, i) => ({ source: source(i), partner_id: 'pk_liar' })))
    .execute()
  const lies = market.slice(1_500, 1_900).map((sale, i): SaleRow => {
    const at = server.clock.now() - (1 + (i % 27)) * DAY
    return { ...sale, kind: i % 2 ? 'SOLD' : 'ASKING', at, source: source(i), priceFen: 3 * sale.priceFen }
  })
  const told = market.slice(1_900, 2_200).map(
    (sale, i): SaleRow => ({
      ...{ ...sale, source: 'follow-up', channel: 'FOLLOW_UP', reporter: `q${i}`, device: `e${i}` },
      listedAt: sale.at - DAY,
    }),
  )
  const partnered = lies.map((sale): SaleRow => ({ ...sale, channel: 'PARTNER', listedAt: sale.at - 300 * DAY }))
  for (const attack of [partnered, told]) {
    await insertSales(db, attack)
    const after = await figures()
    for (const [week, { index }] of after.weeks.entries())
      expect(Math.abs((index ?? 100) / (before.weeks[week]?.index ?? 100) - 1)).toBeLessThan(0.05)
    expect(Math.abs((await timeOf()) / days - 1)).toBeLessThan(0.2)
    await db.deleteFrom('sales').where('channel', '<>', 'IMPORT').execute()
  }
})
