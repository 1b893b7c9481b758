/**
 * Servers die at random moments while people order, pay, change their minds and cancel, while three members at the
 * desk take, draft, deliver and answer, and while messages of the provider come twice, late, in another order or never.
 * Reports of a model are bought, unlocked by coupons, opened by the manual order of the same account, and paid back.
 * Appraisers ask for more information, differ about prices and wait for a third. An order that its appraiser does not value
 * goes to a colleague before its limit, while a server is killed; one that nobody values is compensated and refunded.
 * The hourly limit holds such refunds back until an admin releases them, again while servers are killed. The provider
 * runs in this process, so its records survive the kills.
 */
import { openDatabase } from '../db/database'
import { story } from './kill-buyers'
import { checkAfterKills, MIN_FOR_REFUNDS, REFUND_LIMIT } from './kill-checks'
import { appraise, grantRequests, handOn, payBack, releaseRefunds, signInAll } from './kill-desk'
import { paidOrder, postman, takenTrades } from './kill-payments'
import {
  type Buyer,
  chance,
  closeWorld,
  MINUTE,
  openWorld,
  servers,
  stand,
  testDatabase,
  told,
  world,
} from './kill-world'
import { moment, until } from './killed-servers'

/** servers on one database, contending for the same orders */
const SERVERS = 2
const HOUR = 60 * MINUTE

const { desk, later } = servers
let kills = 0

/** Kills one server somewhere in the middle of its work. */
async function killAtWork() {
  const enough = servers.answered() + 5 + Math.random() * 35
  await until(
    () => servers.answered() >= enough,
    () => moment(20),
  )
  await servers.kill()
  kills += 1
}

/**
 * Everything that waits comes to its end: orders pass their time, late ones are compensated and a day later paid back,
 * the jobs ask and close.
 */
async function settleDown(buyer: Buyer) {
  for (let minute = 0; minute < 25; minute += 1) await later(MINUTE)
  await grantRequests()
  await handOn(buyer)
  while (told.left.length <= REFUND_LIMIT) told.left.push(await paidOrder(buyer))
  const cookies = await signInAll()
  // orders about to be late are given to an appraiser who is at the desk, who delivers some of them
  for (let hour = 0; hour < 48; hour += 1) {
    await later(HOUR)
    await releaseRefunds()
    if (hour >= 4) continue
    for (const cookie of cookies) await desk(cookie, '/desk')
    await later(MINUTE)
    for (const cookie of cookies) await appraise(cookie)
  }
  for (let minute = 0; minute < 5; minute += 1) await later(MINUTE)
}

const hasEnough = (most: number) =>
  told.delivered.size > most &&
  told.rechecked.size > most / 5 &&
  [told.requested, told.questioned, told.paidBack, told.free].every(({ size }) => size > 0) &&
  [...told.included.keys()].some((orderId) => told.delivered.has(orderId)) &&
  // two distant prices and a third are rare
  (most < MIN_FOR_REFUNDS || told.decided.size > 0)

/**
 * One test, for its own file.
 * @param most how many servers are killed
 */
export function testKills(most: number) {
  jest.setTimeout(900_000)

  beforeAll(async () => {
    await openWorld()
    await Promise.all(Array.from({ length: SERVERS }, servers.start))
  })
  afterAll(closeWorld)

  test(`${most} kills under load of two servers: the ledger agrees with the provider`, async () => {
    const load = world.buyers.map((buyer) =>
      until(
        () => kills >= most && takenTrades().length > 2 * most && hasEnough(most),
        () => story(buyer),
      ),
    )
    const post = postman()
    const cookies = await signInAll()
    const desks = cookies.map((cookie) =>
      until(
        () => world.calm,
        () => (cookie === cookies[1] && chance(0.2) ? payBack(cookie) : appraise(cookie)),
      ),
    )
    while (kills < most) await killAtWork()
    await Promise.all(load)
    world.calm = true
    await Promise.all(desks)
    await post
    const [buyer] = world.buyers
    if (buyer) await settleDown(buyer)
    await servers.stop('SIGTERM')

    const { db, close } = await openDatabase(testDatabase.where)
    try {
      await checkAfterKills(db, stand, most, told)
    } finally {
      await close()
    }
  })
}
