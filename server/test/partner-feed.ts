import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import type { Answers } from '@/contract/form/types'
import { expectedPriceOf } from '../domains/market/expected-price'
import { addPartner, type PartnerKey } from '../domains/market/partners/partners'
import type { Model } from '../engine/types'
import { generateSales } from '../fixtures/synthetic/generate'
import { game } from './arbitrary'
import { setupServer } from './harness'

export const PATH = '/partner/v1/sales'

export const config = game('lolm')

export let partner: PartnerKey

export let model: Model

export const server = setupServer({ games: ['lolm'] })

let partners = 0

export const newcomer = (): Promise<PartnerKey> => {
  const { database, lifecycle, clock } = server
  const encryption = lifecycle.deps?.encryption
  if (!encryption) throw new Error('not started')
  partners += 1
  return addPartner(database.db, encryption, `合作方 ${partners}`, clock.now())
}

/** A partner that has 200 sales, of a game that nothing is compared in. */
export async function newPartner(): Promise<PartnerKey> {
  const [made, { db }] = [await newcomer(), server.database]
  const source = `earlier ${partners}`
  await db.insertInto('partner_sources').values({ source, partner_id: made.key }).execute()
  await sql`insert into sales (game_id, kind, price_fen, at, source, external_id, attributes, channel)
    select 'none', 'SOLD', 100, 0, ${source}, i::text, '{}', 'PARTNER' from generate_series(1, 200) i`.execute(db)
  return made
}

export interface Given {
  key?: string
  secret?: string
  time?: number
  sign?: string
  type?: string
}

export async function post(body: string | Buffer, given: Given = {}) {
  const time = String(given.time ?? Date.now())
  const { key = partner.key, secret = partner.secret } = given
  const sign = given.sign ?? createHmac('sha256', secret).update(`${time}\n`).update(body).digest('hex')
  const answer = await server.app.inject({
    method: 'POST',
    url: PATH,
    payload: body,
    headers: {
      'content-type': given.type ?? 'application/x-ndjson',
      'x-partner-key': key,
      'x-partner-time': time,
      'x-partner-sign': sign,
    },
  })
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers }
}

/** Sales of the market on the server's day, as many as were needed yet; the set-up of the generator costs 500 accounts. */
function market() {
  const until = server.clock.now()
  const generator = generateSales(config, { n: 1000, until, seed: 31 })
  const sales: { at: number; attributes: Answers; marketFen: number }[] = []
  return (n: number) => {
    while (sales.length < n) {
      const { value: sale, done } = generator.next()
      if (done) throw new Error(`the generator made no ${n} sales`)
      if (sale.kind !== 'SOLD') continue
      const { marketFen } = expectedPriceOf(model, { ...sale, priceFen: 1 })
      sales.push({ at: sale.at, attributes: sale.attributes, marketFen })
    }
    return sales.slice(0, n)
  }
}

const days = new Map<number, ReturnType<typeof market>>()

/** Generated sales of the market. @param times factor of the prices */
export function rows(n: number, source: string, times = 1) {
  const day = Math.floor(server.clock.now() / 86_400_000)
  const sales = days.get(day) ?? market()
  days.set(day, sales)
  return sales(n).map(({ at, attributes, marketFen }, i) => ({
    ...{ gameId: config.gameId, kind: 'SOLD', at, source, externalId: `${i}`, attributes },
    priceFen: Math.round(marketFen * times * (0.93 + 0.14 * ((i % 8) / 7))),
  }))
}

export const ndjson = (list: readonly object[]) => list.map((row) => JSON.stringify(row)).join('\n')

export const countOf = async (table: 'sales' | 'held_sales', source: string) =>
  (await server.database.db.selectFrom(table).select('id').where('source', '=', source).execute()).length

/** A partner of its own before each test. */
export function setUpPartner() {
  beforeAll(async () => {
    const { deps } = server.lifecycle
    const found = await deps?.repositories.models.active(config)
    if (!found) throw new Error('no model')
    model = found.model
  })
  beforeEach(async () => {
    partner = await newPartner()
  })
}
