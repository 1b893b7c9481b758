/** What staff do at the desk while servers are killed: take, draft, deliver and answer orders, pay back and release refunds. */
import { REASSIGN_LEAD_MS } from '../domains/orders/periods'
import { sandboxLogins } from '../domains/staff/accounts'
import { deliveryFields } from './appraisal'
import { paidOrder } from './kill-payments'
import { type Buyer, chance, MINUTE, pick, servers, THIRD, told, world } from './kill-world'
import { moment, until } from './killed-servers'

const { call, desk, later } = servers
/** far more releases than an hour's refunds take */
const MAX_RELEASES = 100
/** login names by cookie */
const names = new Map<string, string>()
/** appraisers whose price was acknowledged without being the report's yet, by order */
const priced = new Map<string, Set<string>>()

async function signIn(name: string): Promise<string> {
  const cookie = await servers.signIn(name)
  names.set(cookie, name)
  return cookie
}

export const signInAll = () => Promise.all([sandboxLogins.appraiser, sandboxLogins.admin, THIRD].map(signIn))

const csrfIn = (body: string) => /name="csrf" value="(\w+)"/.exec(body)?.[1] ?? ''

/** Works on an order of the queue. */
export async function appraise(cookie: string) {
  const queue = (await desk(cookie, '/desk')).body
  const rows = queue.split('</li>').flatMap((row) => {
    const [, id] = /href="\/desk\/orders\/([\w-]{6,})"/.exec(row) ?? []
    // revaluations, and expert orders that wait for another price
    const isWanted = /待复估<|1\/2 位已估价|等第三位/.test(row)
    return id && id !== told.handedOn && !told.left.includes(id)
      ? [{ id, isWanted: isWanted || told.included.has(id) }]
      : []
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
    ...(!world.calm && chance(0.1) && { ask: () => ({ wanted: '请补充仓库截图' }) }),
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
    if (to.endsWith('done=asked')) told.requested.add(orderId)
    const others = priced.get(orderId) ?? new Set()
    const name = names.get(cookie) ?? ''
    if (/done=(opined|apart)$/.test(to)) priced.set(orderId, others.add(name))
    if (!to.endsWith('done=delivered')) continue
    told.delivered.add(orderId)
    if (body.includes('改了什么、为什么、怎么卖')) told.rechecked.add(orderId)
    else if (others.size === 2 && !others.has(name)) told.decided.add(orderId)
  }
}

/** Staff pay back a report of the model that was bought. */
export async function payBack(admin: string) {
  const orderId = pick(told.reportOrders)
  if (!orderId) return moment(50)
  const url = `/desk/orders/${orderId}/back`
  const { body } = await desk(admin, `/desk/orders/${orderId}`)
  if (!body.includes(`${url}"`)) return
  const { to } = await desk(admin, url, { csrf: csrfIn(body), words: '报告有误，全额退回' })
  if (to.endsWith('done=granted')) told.paidBack.add(orderId)
}

/**
 * An appraiser takes an order and leaves it. While its limit comes near and a server is killed, it goes to the colleague
 * who is at the desk, and who delivers it in time.
 */
export async function handOn(buyer: Buyer) {
  told.handedOn = await paidOrder(buyer)
  const url = `/desk/orders/${told.handedOn}`
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
  const { dueAt = 0 } = (await call('pay', 'getInfo', { orderId: told.handedOn }, buyer.token)).data
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
    () => told.delivered.has(told.handedOn),
    () => workOn(colleague, told.handedOn),
  )
}

/** An admin grants the refunds that buyers of the model's reports have asked for: nothing else does. */
export async function grantRequests() {
  const admin = await signIn(sandboxLogins.admin)
  for (const orderId of told.reportOrders) {
    const url = `/desk/orders/${orderId}`
    const { body } = await desk(admin, url)
    if (body.includes(`${url}/grant"`)) await desk(admin, `${url}/grant`, { csrf: csrfIn(body) })
  }
}

/** An admin releases the refunds that are held back, if any; the first time servers are killed meanwhile. */
export async function releaseRefunds() {
  const admin = await signIn(sandboxLogins.admin)
  const see = async () => (await desk(admin, '/desk/operations')).body
  const numberIn = (body: string, words: RegExp) => Number(words.exec(body)?.[1] ?? 0)
  const heldIn = (body: string) => numberIn(body, /有 (\d+) 笔自动退款/)
  let rounds = 0
  for (let body = await see(); heldIn(body) > 0; body = await see()) {
    rounds += 1
    if (rounds > MAX_RELEASES) throw new Error(`${heldIn(body)} refunds are still held back`)
    const isFirst = told.brake === undefined
    told.brake ??= { made: numberIn(body, /最近一小时自动退款 (\d+) 笔/), held: heldIn(body) }
    const seen = ['csrf', 'count', 'fen', 'jumped'].map((name) => [
      name,
      RegExp(`name="${name}" value="(\\w*)"`).exec(body)?.[1] ?? '',
    ])
    const meanwhile = async () => isFirst && moment(40).then(servers.kill)
    await Promise.all([desk(admin, '/desk/operations/refunds', Object.fromEntries(seen)), meanwhile()])
    await Promise.all([later(0), meanwhile()])
  }
}
