import { hashPassword } from '../core/password-hash'
import { type Db, openDatabase } from '../db/database'
import { REASSIGN_LEAD_MS } from '../domains/orders/periods'
import { addStaff, sandboxLogins } from '../domains/staff/accounts'
import { deliveryFields } from './appraisal'
import { game } from './arbitrary'
import { insertMarketOf } from './games-without-sales'
import { createTestDatabase, someAnswers, startServer, type TestDatabase } from './harness'
import { BUYERS, COUPONS_EACH, checkAfterKills, MIN_FOR_REFUNDS, REFUND_LIMIT } from './kill-checks'
import { createServers, moment, until } from './killed-servers'
import { adultId, manualOrderRequest } from './pay/requests'
import { startWechatStub, type WechatStub, wechatEnv } from './pay/wechat-stub'

/**
 * Servers die at random moments while people order, pay, change their minds and cancel, while three members at the
 * desk take, draft, deliver and answer, and while messages of the provider come twice, late, in another order or never.
 * Reports of a model are bought, unlocked by coupons, opened by the manual order of the same account, and paid back.
 * Appraisers ask for more information, differ about prices and wait for a third. An order that its appraiser does not value
 * goes to a colleague before its limit, while a server is killed; one that nobody values is compensated and refunded.
 * The hourly limit holds such refunds back until an admin releases them, again while servers are killed. The provider
 * runs in this process, so its records survive the kills.
 */
/** as many as a user may have in a day */
const VALUATIONS_EACH = 30
/** servers on one database, contending for the same orders */
const SERVERS = 2
/** far more releases than an hour's refunds take */
const MAX_RELEASES = 100
const MINUTE = 60_000
const HOUR = 60 * MINUTE

interface Buyer {
  token: string
  coupons: string[]
  /** manual ones, oldest first */
  orders: string[]
  /** accounts valued by the model so far */
  valued: number
}

/** An account as requests name it. */
type Account = Pick<ReturnType<typeof manualOrderRequest>, 'gameId' | 'schemaVersion' | 'answers'>

const chance = (p: number) => Math.random() < p
const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

let testDatabase: TestDatabase
let stand: WechatStub
/** a game without a model, and one with */
const config = game('val')
const modelled = game('naraka')
/** an appraiser beside the sandbox's */
const THIRD = 'third'
let buyers: Buyer[] = []
/** messages the provider still wants to deliver */
const mail: string[] = []
let calm = false
let kills = 0
/** orders whose delivery was acknowledged to an appraiser */
const delivered = new Set<string>()
/** those of them whose revaluation was delivered, too */
const rechecked = new Set<string>()
/** orders on which information was requested, with a question, and whose first price a third appraiser decided */
const requested = new Set<string>()
const questioned = new Set<string>()
const decided = new Set<string>()
/** orders of the model's reports; those that staff have paid back */
const reportOrders: string[] = []
const paidBack = new Set<string>()
/** orders that a coupon paid for in full */
const free = new Set<string>()
/** the account of a manual order; and its locked report, for which nobody has begun to pay, if there is one */
const accounts = new Map<string, Account>()
const included = new Map<string, string>()
/** login names by cookie */
const names = new Map<string, string>()
/** appraisers whose price was acknowledged without being the report's yet, by order */
const priced = new Map<string, Set<string>>()

/** the third appraiser's id, and an order that went from them to a colleague before its limit */
let thirdId = ''
let handedOn = ''
/** orders that nobody works on, more than the limit of refunds that are due at the same time */
const left: string[] = []
/** when refunds were first held back: how many had been made in that hour, and how many were held */
let brake: { made: number; held: number } | undefined

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
  thirdId = await addAppraiser(db)
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
    buyers = [...buyers, { token, coupons, orders: [], valued: 0 }]
  }
  await server.close()
}

const servers = createServers(() => ({
  ...testDatabase.env,
  ...wechatEnv(stand.url),
  DEMO_APPRAISER: '0',
  AI_FREE_PER_DAY: '1000',
  REFUND_BRAKE_COUNT: String(REFUND_LIMIT),
  REFUND_BRAKE_FEN: '999999999',
}))
const { call, desk, later } = servers

const takenTrades = () => [...stand.trades.values()].filter((t) => t.state === 'SUCCESS')

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

const attemptOf = (prepay: string | undefined) => {
  const id = prepay?.replace('prepay_id=', '')
  return [...stand.trades.keys()].find((outTradeNo) => stand.prepayOf(outTradeNo) === id)
}

async function beginPayment(buyer: Buyer, orderId: string) {
  const couponId = chance(0.5) ? '' : (pick(buyer.coupons) ?? '')
  const request = { orderId, couponId, returnUrl: '/' }
  const jsapi = {
    ...request,
    payType: 'WX_JSAPI' as const,
    consent: true as const,
    openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o',
  }
  const answer = await call(
    'pay',
    'payment',
    chance(0.8) ? jsapi : { ...request, payType: 'WX_H5' as const, consent: true as const },
    buyer.token,
  )
  const { payParams, jumpUrl } = answer.data ?? {}
  if (answer.success && !payParams && !jumpUrl) free.add(orderId)
  return attemptOf(payParams?.package ?? new URL(jumpUrl ?? 'http://x').searchParams.get('prepay_id') ?? undefined)
}

/** Once, twice, later or never. */
function post(outTradeNo: string) {
  if (chance(0.25)) return
  for (let copies = chance(0.4) ? 3 : 1; copies > 0; copies -= 1)
    mail.splice(Math.floor(Math.random() * (mail.length + 1)), 0, outTradeNo)
}

/** A manual request for the account, which need not have a model. */
const manualRequestFor = (account?: Account) => ({ ...manualOrderRequest(config), ...account })

/** Supplies what an appraiser asked for, of one of the buyer's orders. */
async function supply({ token, orders }: Buyer) {
  const orderId = pick(orders)
  if (!orderId) return
  const order = (await call('pay', 'getInfo', { orderId }, token)).data
  if (order?.status !== 'WAIT_INFO') return
  const more = { ...manualRequestFor(accounts.get(orderId)), answers: {}, orderId, remark: '补充：没有绑定' }
  await call('evaluation', 'submitManual', more, token)
}

/** Something that one of the buyer's delivered orders allows: a question, the revaluation, a rating. */
async function afterwards(buyer: Buyer) {
  const orderId = pick(buyer.orders.filter((id) => delivered.has(id)))
  if (!orderId) return
  const { token } = buyer
  const order = (await call('pay', 'getInfo', { orderId }, token)).data
  if (!order?.actions.includes('ASK')) return
  const clientId = `kill-${orderId}`
  if (chance(0.5)) {
    const question = { clientId, type: 'TEXT' as const, content: '为什么？', orderId }
    if ((await call('chat', 'send', question, token)).success) questioned.add(orderId)
  }
  const again = { ...manualRequestFor(accounts.get(orderId)), answers: {}, orderId, remark: '价格偏低' }
  if (chance(0.5) && order.actions.includes('REVALUE')) await call('evaluation', 'submitManual', again, token)
  const said = { orderId, score: chance(0.3) ? 1 : 5, accuracy: 'LOW' as const, content: '价格偏低' }
  if (chance(0.3)) await call('evaluation', 'saveEvaluation', said, token)
}

async function signIn(name: string): Promise<string> {
  const cookie = await servers.signIn(name)
  names.set(cookie, name)
  return cookie
}

const signInAll = () => Promise.all([sandboxLogins.appraiser, sandboxLogins.admin, THIRD].map(signIn))

const csrfIn = (body: string) => /name="csrf" value="(\w+)"/.exec(body)?.[1] ?? ''

/** Works on an order of the queue. */
async function appraise(cookie: string) {
  const queue = (await desk(cookie, '/desk')).body
  const rows = queue.split('</li>').flatMap((row) => {
    const [, id] = /href="\/desk\/orders\/([\w-]{6,})"/.exec(row) ?? []
    // revaluations, and expert orders that wait for another price
    const isWanted = /待复估<|[12]\/2 位已估价/.test(row)
    return id && id !== handedOn && !left.includes(id) ? [{ id, isWanted: isWanted || included.has(id) }] : []
  })
  // one in a queue of a hundred would hardly ever be picked
  const rare = rows.filter(({ isWanted }) => isWanted)
  const { id: orderId } = (chance(0.5) && pick(rare)) || pick(rows) || {}
  return orderId ? workOn(cookie, orderId) : moment(50)
}

/** Takes, estimates, drafts, delivers and answers whatever the page of an order offers, sometimes half of it. */
async function workOn(cookie: string, orderId: string) {
  const url = `/desk/orders/${orderId}`
  // sometimes so high that a third decides
  const price = String(1000 + Math.floor(Math.random() * 50) + (chance(0.3) ? 500 : 0))
  const steps = {
    take: () => ({}),
    ...(!calm && chance(0.1) && { ask: () => ({ wanted: '请补充仓库截图' }) }),
    first: () => ({ first: price }),
    draft: (body: string) => ({ ...deliveryFields(body, Number(price)), price }),
    deliver: (body: string) => ({ ...deliveryFields(body, Number(price)), price }),
    answer: () => ({ id: `answer-${url.slice(-20)}`, text: '按近期行情' }),
  }
  for (const [act, fieldsOf] of Object.entries(steps)) {
    const { body } = await desk(cookie, url)
    if (!body.includes(`${url}/${act}"`) || chance(0.1)) continue
    const fields = { csrf: csrfIn(body), ...fieldsOf(body) }
    const { to } = await desk(cookie, `${url}/${act}`, fields)
    if (to.endsWith('done=asked')) requested.add(orderId)
    const others = priced.get(orderId) ?? new Set()
    const name = names.get(cookie) ?? ''
    if (/done=(opined|apart)$/.test(to)) priced.set(orderId, others.add(name))
    if (!to.endsWith('done=delivered')) continue
    delivered.add(orderId)
    if (body.includes('改了什么、为什么、怎么卖')) rechecked.add(orderId)
    else if (others.size === 2 && !others.has(name)) decided.add(orderId)
  }
}

/** Pays once or twice, now or later, or gives up. @param meanwhile happens between the attempts and their payment */
async function pay(buyer: Buyer, orderId: string, meanwhile?: () => Promise<unknown>) {
  const attempts: string[] = []
  for (let tries = chance(0.3) ? 2 : 1; tries > 0; tries -= 1) {
    const attempt = await beginPayment(buyer, orderId)
    if (attempt) attempts.push(attempt)
  }
  await meanwhile?.()
  for (const attempt of attempts) if (chance(0.85) && stand.pay(attempt)) post(attempt)
  if (chance(0.5)) await call('pay', 'payResult', { orderId }, buyer.token)
}

const cancel = ({ token }: Buyer, orderId: string) =>
  call('evaluation', 'applyCancel', { orderId, reason: '不想估了', remark: '' }, token)

/**
 * Has the model value an account; buys its report, perhaps while the appraisers value the same account, or keeps it locked.
 * @returns the account, and its order if nobody has begun to pay
 */
async function valueByModel(buyer: Buyer): Promise<{ account: Account; locked?: string } | undefined> {
  const { gameId, schemaVersion } = modelled
  if (buyer.valued === VALUATIONS_EACH) return undefined
  const account = { gameId, schemaVersion, answers: someAnswers(modelled, buyer.valued) }
  buyer.valued += 1
  const request = { ...account, source: 'TYPED' as const, requestId: `kill-${buyer.valued}` }
  const made = await call('evaluation', 'submitAi', request, buyer.token)
  if (!made.success) throw new Error(made.msg)
  const { orderId } = made.data
  reportOrders.push(orderId)
  if (chance(0.5)) return { account, locked: orderId }
  await pay(buyer, orderId)
  if (chance(0.1)) await cancel(buyer, orderId)
  return { account }
}

/** One person's whole story with one account. */
async function story(buyer: Buyer) {
  const valued = chance(0.4) ? await valueByModel(buyer) : undefined
  const account = chance(0.7) ? valued?.account : undefined
  const request = { ...manualRequestFor(account), level: pick(['STD', 'PRO'] as const) ?? 'STD' }
  const made = await call('evaluation', 'submitManual', request, buyer.token)
  // too many that wait for their payment: give one up, perhaps while it is being paid
  if (!made.success) {
    const old = buyer.orders.shift()
    if (old) await call('pay', 'closeOrder', { orderId: old }, buyer.token)
    return
  }
  const { orderId } = made.data
  buyer.orders.push(orderId)
  if (account) accounts.set(orderId, account)
  if (account && valued?.locked) included.set(orderId, valued.locked)
  await pay(buyer, orderId, async () => chance(0.15) && call('pay', 'closeOrder', { orderId }, buyer.token))
  await supply(buyer)
  await afterwards(buyer)
  if (chance(0.15)) await cancel(buyer, orderId)
}

/** Staff pay back a report of the model that was bought. */
async function payBack(admin: string) {
  const orderId = pick(reportOrders)
  if (!orderId) return moment(50)
  const url = `/desk/orders/${orderId}/back`
  const { body } = await desk(admin, `/desk/orders/${orderId}`)
  if (!body.includes(`${url}"`)) return
  const { to } = await desk(admin, url, { csrf: csrfIn(body), words: '报告有误，全额退回' })
  if (to.endsWith('done=granted')) paidBack.add(orderId)
}

/** The provider sends a message to every server at once; what is not acknowledged is sent again. */
async function deliver(outTradeNo: string) {
  const { headers, body } = stand.notice(outTradeNo)
  const answers = await Promise.allSettled(
    servers.urls().map((url) => fetch(`${url}/pay/notify/wechat`, { method: 'POST', headers, body })),
  )
  const taken = answers.some((a) => a.status === 'fulfilled' && a.value.status === 200)
  if (!taken) mail.push(outTradeNo)
}

const postman = () =>
  until(
    () => calm && mail.length === 0,
    async () => {
      const next = mail.shift()
      await moment(30)
      if (next) await deliver(next)
    },
  )

/** An order for which the buyer pays, whatever it takes. @returns its id */
async function paidOrder(buyer: Buyer): Promise<string> {
  const made = await call('evaluation', 'submitManual', manualOrderRequest(config), buyer.token)
  if (!made.success) throw new Error(made.msg)
  const { orderId } = made.data
  const isPaid = async () => (await call('pay', 'getInfo', { orderId }, buyer.token)).data.status === 'PAID'
  await until(isPaid, async () => {
    const attempt = await beginPayment(buyer, orderId)
    if (attempt && stand.pay(attempt)) await deliver(attempt)
  })
  return orderId
}

/**
 * An appraiser takes an order and leaves it. While its limit comes near and a server is killed, it goes to the colleague
 * who is at the desk, and who delivers it in time.
 */
async function handOn(buyer: Buyer) {
  handedOn = await paidOrder(buyer)
  const url = `/desk/orders/${handedOn}`
  const third = await signIn(THIRD)
  let isTaken = false
  await until(
    () => isTaken,
    async () => {
      const { to } = await desk(third, `${url}/take`, { csrf: csrfIn((await desk(third, url)).body) })
      isTaken = to.endsWith('done=took')
      // who holds as many as they may finishes some first
      if (!isTaken) await appraise(third)
    },
  )
  const { dueAt = 0 } = (await call('pay', 'getInfo', { orderId: handedOn }, buyer.token)).data
  await later(dueAt - REASSIGN_LEAD_MS + MINUTE - servers.now())
  const colleague = await signIn(sandboxLogins.appraiser)
  await Promise.all([later(0), moment(40).then(servers.kill)])
  await until(
    async () => (await desk(colleague, url)).body.includes(`${url}/first"`),
    async () => {
      await later(MINUTE)
      if (servers.now() > dueAt) throw new Error('the order was not handed on')
    },
  )
  await until(
    () => delivered.has(handedOn),
    () => workOn(colleague, handedOn),
  )
}

/** An admin grants the refunds that buyers of the model's reports have asked for: nothing else does. */
async function grantRequests() {
  const admin = await signIn(sandboxLogins.admin)
  for (const orderId of reportOrders) {
    const url = `/desk/orders/${orderId}`
    const { body } = await desk(admin, url)
    if (body.includes(`${url}/grant"`)) await desk(admin, `${url}/grant`, { csrf: csrfIn(body) })
  }
}

/** An admin releases the refunds that are held back, if any; the first time servers are killed meanwhile. */
async function releaseRefunds() {
  const admin = await signIn(sandboxLogins.admin)
  const see = async () => (await desk(admin, '/desk/operations')).body
  const numberIn = (body: string, words: RegExp) => Number(words.exec(body)?.[1] ?? 0)
  const heldIn = (body: string) => numberIn(body, /有 (\d+) 笔自动退款/)
  let rounds = 0
  for (let body = await see(); heldIn(body) > 0; body = await see()) {
    rounds += 1
    if (rounds > MAX_RELEASES) throw new Error(`${heldIn(body)} refunds are still held back`)
    const isFirst = brake === undefined
    brake ??= { made: numberIn(body, /最近一小时自动退款 (\d+) 笔/), held: heldIn(body) }
    const seen = ['csrf', 'count', 'fen', 'jumped'].map((name) => [
      name,
      RegExp(`name="${name}" value="(\\w*)"`).exec(body)?.[1] ?? '',
    ])
    const meanwhile = async () => isFirst && moment(40).then(servers.kill)
    await Promise.all([desk(admin, '/desk/operations/refunds', Object.fromEntries(seen)), meanwhile()])
    await Promise.all([later(0), meanwhile()])
  }
}

/**
 * Everything that waits comes to its end: orders pass their time, late ones are compensated and a day later paid back,
 * the jobs ask and close.
 */
async function settleDown(buyer: Buyer) {
  for (let minute = 0; minute < 25; minute += 1) await later(MINUTE)
  await grantRequests()
  await handOn(buyer)
  while (left.length <= REFUND_LIMIT) left.push(await paidOrder(buyer))
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
  delivered.size > most &&
  rechecked.size > most / 5 &&
  [requested, questioned, paidBack, free].every(({ size }) => size > 0) &&
  [...included.keys()].some((orderId) => delivered.has(orderId)) &&
  // two distant prices and a third are rare
  (most < MIN_FOR_REFUNDS || decided.size > 0)

/**
 * One test, for its own file.
 * @param most how many servers are killed
 */
export function testKills(most: number) {
  jest.setTimeout(900_000)

  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    stand = await startWechatStub()
    await prepare()
    await Promise.all(Array.from({ length: SERVERS }, servers.start))
  })
  afterAll(async () => {
    await servers.stop('SIGKILL')
    await stand.close()
    testDatabase.remove()
  })

  test(`${most} kills under load of two servers: the ledger agrees with the provider`, async () => {
    const load = buyers.map((buyer) =>
      until(
        () => kills >= most && takenTrades().length > 2 * most && hasEnough(most),
        () => story(buyer),
      ),
    )
    const post = postman()
    const cookies = await signInAll()
    const desks = cookies.map((cookie) =>
      until(
        () => calm,
        () => (cookie === cookies[1] && chance(0.2) ? payBack(cookie) : appraise(cookie)),
      ),
    )
    while (kills < most) await killAtWork()
    await Promise.all(load)
    calm = true
    await Promise.all(desks)
    await post
    const [buyer] = buyers
    if (buyer) await settleDown(buyer)
    await servers.stop('SIGTERM')

    const { db, close } = await openDatabase(testDatabase.where)
    const told = {
      delivered,
      rechecked,
      requested,
      questioned,
      decided,
      reportOrders,
      paidBack,
      free,
      included,
      brake,
      left,
      handedOn,
      thirdId,
    }
    try {
      await checkAfterKills(db, stand, most, told)
    } finally {
      await close()
    }
  })
}
