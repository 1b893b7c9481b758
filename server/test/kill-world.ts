/** What a test of kills begins with and learns: the database, the provider, the buyers, and what people were told. */
import { hashPassword } from '../core/password-hash'
import type { Db } from '../db/database'
import { addStaff, sandboxLogins } from '../domains/staff/accounts'
import { game } from './arbitrary'
import { insertMarketOf } from './games-without-sales'
import { createTestDatabase, startServer, type TestDatabase } from './harness'
import { BUYERS, COUPONS_EACH, REFUND_LIMIT } from './kill-checks'
import { createServers } from './killed-servers'
import { adultId, type manualOrderRequest } from './pay/requests'
import { startWechatStub, type WechatStub, wechatEnv } from './pay/wechat-stub'

export interface Buyer {
  token: string
  coupons: string[]
  /** manual ones, oldest first */
  orders: string[]
  /** accounts valued by the model so far */
  valued: number
}

/** An account as requests name it. */
export type Account = Pick<ReturnType<typeof manualOrderRequest>, 'gameId' | 'schemaVersion' | 'answers'>

export const chance = (p: number) => Math.random() < p
export const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

export let testDatabase: TestDatabase
export let stand: WechatStub
/** a game without a model, and one with */
export const config = game('val')
export const modelled = game('naraka')
export const MINUTE = 60_000
/** an appraiser beside the sandbox's */
export const THIRD = 'third'
/** `calm` once no more servers are killed at work */
export const world = { buyers: [] as Buyer[], calm: false }
/** the account of a manual order */
export const accounts = new Map<string, Account>()

export const told = {
  /** orders whose delivery was acknowledged to an appraiser */
  delivered: new Set<string>(),
  /** those of them whose revaluation was delivered, too */
  rechecked: new Set<string>(),
  /** orders on which information was requested, with a question, and whose first price a third appraiser decided */
  requested: new Set<string>(),
  questioned: new Set<string>(),
  decided: new Set<string>(),
  /** orders of the model's reports; those that staff have paid back */
  reportOrders: [] as string[],
  paidBack: new Set<string>(),
  /** orders that a coupon paid for in full */
  free: new Set<string>(),
  /** the locked report of a manual order's account, for which nobody has begun to pay, if there is one */
  included: new Map<string, string>(),
  /** when refunds were first held back: how many had been made in that hour, and how many were held */
  brake: undefined as { made: number; held: number } | undefined,
  /** orders that nobody works on, more than the limit of refunds that are due at the same time */
  left: [] as string[],
  /** the third appraiser's id, and an order that went from them to a colleague before its limit */
  thirdId: '',
  handedOn: '',
}

const addAppraiser = (db: Db) =>
  db.transaction().execute(async (tx) => {
    const { staffId } = await addStaff(tx, { name: THIRD, role: 'APPRAISER', nick: '第三位' }, Date.now())
    const password_hash = await hashPassword(sandboxLogins.password)
    await tx
      .updateTable('staff_logins')
      .set({ must_change: false, password_hash })
      .where('staff_id', '=', staffId)
      .execute()
    return staffId
  })

/** Users, coupons, an appraiser, and the market of one game. */
async function prepare() {
  await insertMarketOf(testDatabase, modelled.gameId)
  const server = await startServer({ testDatabase })
  const { db } = server.database
  told.thirdId = await addAppraiser(db)
  const template = {
    template_id: 'kill',
    name: '立减 5 元',
    type: 'DIRECT' as const,
    amount_fen: 500,
    scope: 'ALL' as const,
    valid_type: 'DAYS' as const,
    days: 30,
  }
  await db
    .insertInto('coupon_templates')
    .values(template as never)
    .execute()
  for (let i = 0; i < BUYERS; i += 1) {
    const { token, userId } = await server.login(`1390000000${i}`)
    await server.call('user', 'realNameAuth', { name: '张三', idNo: adultId(i), consent: true }, { token })
    const coupons = Array.from({ length: COUPONS_EACH }, (_, n) => `kill${i}x${n}`)
    for (const [nth, coupon_id] of coupons.entries())
      await db
        .insertInto('user_coupons')
        .values({
          coupon_id,
          template_id: 'kill',
          user_id: userId,
          nth,
          status: 'UNUSED',
          start_at: 0,
          end_at: Date.now() + 30 * 86_400_000,
          received_at: 0,
          used_at: null,
          order_id: null,
        })
        .execute()
    world.buyers = [...world.buyers, { token, coupons, orders: [], valued: 0 }]
  }
  await server.close()
}

export const servers = createServers(() => ({
  ...testDatabase.env,
  ...wechatEnv(stand.url),
  DEMO_APPRAISER: '0',
  AI_FREE_PER_DAY: '1000',
  REFUND_BRAKE_COUNT: String(REFUND_LIMIT),
  REFUND_BRAKE_FEN: '999999999',
}))

/** Starts the provider on an empty database and prepares what the servers are to find. */
export async function openWorld() {
  testDatabase = await createTestDatabase()
  stand = await startWechatStub()
  await prepare()
}

export async function closeWorld() {
  await servers.stop('SIGKILL')
  await stand.close()
  testDatabase.remove()
}
