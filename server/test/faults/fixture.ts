/** Rows for the load: adult buyers with coupons, and games that need no training. */
import type { FormConfig } from '@/contract/form/types'
import { openDatabase } from '../../db/database'
import { shippedConfigs } from '../../fixtures/seed'
import type { Settings } from '../../settings'
import { startServer, type TestDatabase, type TestServer } from '../harness'
import { adultId } from '../pay/requests'

export const COUPON_TEMPLATE = 'faults'
const COUPONS_EACH = 8
const DAY = 86_400_000

export interface Buyer {
  token: string
  userId: string
  coupons: string[]
  /** ids, oldest first */
  orders: string[]
}

export interface Fixture {
  buyers: Buyer[]
  /** the form of the game that is ordered */
  config: FormConfig
}

export type Prepare = (server: TestServer, fixture: Fixture) => Promise<void>

/** Games without sales: nothing is generated or trained when a server starts. */
async function insertGames(where: Pick<Settings, 'dataDir' | 'databaseUrl'>): Promise<FormConfig> {
  const database = await openDatabase(where)
  const configs = shippedConfigs()
  const row = { icon: '', letter: 'A', search: '', hot: 0, sort: 0, updated_at: 0 }
  await database.db
    .insertInto('games')
    .values(configs.map((config) => ({ ...row, game_id: config.gameId, config: JSON.stringify(config) })))
    .execute()
  await database.close()
  const config = configs.find(({ gameId }) => gameId === 'val')
  if (!config) throw new Error('the shipped games have no "val"')
  return config
}

/** @param prepare inserts further rows, using a server without background jobs */
export async function createFixture(testDatabase: TestDatabase, count: number, prepare?: Prepare): Promise<Fixture> {
  const config = await insertGames(testDatabase.where)
  const server = await startServer({ testDatabase })
  const { db } = server.database
  await db
    .insertInto('coupon_templates')
    .values({
      template_id: COUPON_TEMPLATE,
      name: '立减 5 元',
      type: 'DIRECT',
      amount_fen: 500,
      scope: 'ALL',
      valid_type: 'DAYS',
      days: 30,
    } as never)
    .execute()
  const buyers: Buyer[] = []
  for (let i = 0; i < count; i += 1) {
    const { token, userId } = await server.login(`1390000${String(i).padStart(4, '0')}`)
    await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(i), consent: true }, { token })
    const coupons = Array.from({ length: COUPONS_EACH }, (_, n) => `faults${i}x${n}`)
    const end_at = Date.now() + 30 * DAY
    await db
      .insertInto('user_coupons')
      .values(
        coupons.map((coupon_id, nth) => ({
          ...{ coupon_id, template_id: COUPON_TEMPLATE, user_id: userId, nth, status: 'UNUSED' as const },
          ...{ start_at: 0, end_at, received_at: 0, used_at: null, order_id: null },
        })),
      )
      .execute()
    buyers.push({ token, userId, coupons, orders: [] })
  }
  await prepare?.(server, { buyers, config })
  await server.close()
  return { buyers, config }
}
