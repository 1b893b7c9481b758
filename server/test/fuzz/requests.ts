import { createHash, createSign } from 'node:crypto'
import type { InjectOptions } from 'fastify'
import { type CallDef, type CallGroup, calls } from '@/contract/calls'
import { canonicalGet, type SignParams, toQuery } from '@/contract/query'
import { schemas } from '@/contract/schemas'
import { sign } from '@/contract/sign'
import { EVENTS_PATH } from '../../providers/collector/http'
import { signMessage } from '../../providers/collector/signature'
import { SECRET } from '../harness'
import { message, signed } from '../pay/wechat-stub'
import { pictures } from '../pictures'
import type { Random } from './random'
import { fuzzValue, hostile, type KnownValues } from './values'

/** State of the server that requests refer to. */
export interface FuzzContext {
  random: Random
  known: KnownValues
  tokens: readonly string[]
  /** session of a signed-in member of staff */
  desk: { cookie: string; csrf: string }
  /** fields of a good upload form */
  upload: Readonly<Record<string, string>>
  keys: { alipay: string; push: string; collector: string }
}

export interface Request {
  name: string
  options: InjectOptions
}
type Maker = (world: FuzzContext) => Request

const wildness = (random: Random) => random.pick([0, 0, 0.05, 0.2, 0.6])
/** Some hostile objects cannot even be turned into text. */
const textOf = (value: unknown): string => (typeof value === 'object' ? asText(value) : String(value))
/** As encoded in UTF-8: a lone surrogate becomes the replacement character. */
const wellFormed = (value: unknown) => Buffer.from(textOf(value)).toString()
const asText = (value: unknown) => JSON.stringify(value) ?? 'null'

/** Headers a client may set as it likes; Node refuses line breaks and more in them itself. */
const headerText = (random: Random) =>
  wellFormed(hostile(random))
    .replace(/[^\x20-\x7e\x80-\xff]/g, '?')
    .slice(0, 4000)

function callMaker(group: string, name: string, { method, path }: CallDef): Maker {
  const { req } = (schemas[group as CallGroup] as unknown as Record<string, { req: object }>)[name] ?? { req: {} }
  return ({ random, known, tokens }) => {
    const params = fuzzValue(req, random, known, wildness(random))
    const get = method === 'GET'
    const fields = Object.entries(typeof params === 'object' && params !== null ? params : { params })
    const query = Object.fromEntries(
      fields.map(([key, value]) => [wellFormed(key), typeof value === 'object' ? value : wellFormed(value)]),
    ) as SignParams
    const payload = get ? undefined : random.chance(0.02) ? textOf(hostile(random)) : asText(params)
    const timestamp = random.chance(0.01) ? headerText(random) : String(Date.now())
    const canonical = get ? canonicalGet(query) : (payload ?? '')
    const headers: Record<string, string> = {
      'content-type': random.chance(0.01) ? headerText(random) : 'application/json',
      timestamp,
      random: '042137',
      sign: sign({ canonical, timestamp, random: '042137', secret: SECRET }),
      platform: random.pick(['h5', 'weapp']),
      os: random.pick(['ios', 'android', 'other']),
    }
    if (random.chance(0.75)) headers.token = random.pick(tokens)
    if (random.chance(0.03))
      headers[random.pick(['token', 'channelinfo', 'platform', 'os', 'userid', 'user-agent', 'host', 'version'])] =
        headerText(random)
    const url = get && Object.keys(query).length > 0 ? `${path}?${toQuery(query)}` : path
    return {
      name: `${group}.${name}`,
      options: { method: method as 'GET', url, headers, ...(payload !== undefined && { payload }) },
    }
  }
}

/** A multipart body, sometimes truncated, without its boundary, or with malformed parts. */
function multipart(random: Random, fields: Readonly<Record<string, unknown>>, file: Buffer): InjectOptions {
  const boundary = random.chance(0.05) ? 'b'.repeat(random.pick([1, 70, 257, 400])) : 'b'
  const part = (head: string, body: Buffer | string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(body),
      Buffer.from('\r\n'),
    ])
  const parts = Object.entries(fields).map(([key, value]) => part(`name="${wellFormed(key)}"`, wellFormed(value)))
  const whole = Buffer.concat([
    ...parts,
    part('name="file"; filename="a.jpg"', file),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const payload = random.chance(0.2) ? whole.subarray(0, random.below(whole.length)) : whole
  const type = random.pick([
    ...Array<string>(12).fill(`multipart/form-data; boundary=${boundary}`),
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/mixed; boundary=b',
    'application/x-www-form-urlencoded',
  ])
  return { method: 'POST', headers: { 'content-type': type }, payload }
}

/** A picture with changed bytes, or another file. */
function fileOf(random: Random): Buffer {
  const file = Buffer.from(random.pick(Object.values(pictures)))
  for (let i = random.below(4); i > 0; i -= 1) file[random.below(file.length)] = random.below(256)
  if (random.chance(0.2)) return file.subarray(0, random.below(file.length))
  return random.chance(0.1) ? Buffer.from(wellFormed(hostile(random))) : file
}

function someFields(random: Random, given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(given))
    if (!random.chance(0.05)) fields[key] = random.chance(0.1) ? hostile(random) : value
  if (random.chance(0.1))
    fields[
      wellFormed(hostile(random))
        .slice(0, 100)
        .replace(/["\r\n]/g, '')
    ] = hostile(random)
  return fields
}

const uploads: Maker = ({ random, upload }) => ({
  name: 'uploads',
  options: {
    url: '/uploads',
    ...multipart(random, someFields(random, { ...upload, 'Content-Type': 'image/jpeg' }), fileOf(random)),
  },
})

const form = (fields: Readonly<Record<string, unknown>>): InjectOptions => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams(
    Object.fromEntries(Object.entries(fields).map(([key, value]) => [wellFormed(key), wellFormed(value)])),
  ).toString(),
})

const deskNames = [
  ...['name', 'nick', 'role', 'years', 'title', 'words', 'link', 'sort', 'from', 'until', 'text', 'id', 'price', 'low'],
  ...['high', 'comment', 'wanted', 'reply', 'answer', 'to', 'kfUrl', 'corpId', 'games', 'reason', 'place', 'image'],
] as const
const deskPaths = [
  ...['/desk/orders/:id/', '/desk/feedback/:id/', '/desk/chat/:id/', '/desk/content/:id/', '/desk/staff/:id/'],
  ...['/desk/content', '/desk/staff', '/desk/login'],
] as const
const deskActs = [
  ...['take', 'ask', 'deliver', 'grant', 'refuse', 'refund', 'reply', 'done', 'save', 'on', 'off'],
  ...['games', 'contact'],
] as const

const deskForm: Maker = ({ random, known, desk }) => {
  const id = encodeURIComponent(wellFormed(random.chance(0.8) ? random.pick(known.deskId ?? ['x']) : hostile(random)))
  const path = random.pick(deskPaths).replace(':id', id.slice(0, 300))
  const url = path.endsWith('/') ? path + random.pick(deskActs) : path
  const fields: Record<string, unknown> = { csrf: random.chance(0.97) ? desk.csrf : hostile(random) }
  for (const name of deskNames)
    if (random.chance(0.5))
      fields[name] = random.chance(0.4) ? hostile(random) : random.pick(['1', '199.00', 'APPRAISER', '好的，收到', '/'])
  const made = random.chance(0.2) ? multipart(random, fields, fileOf(random)) : form(fields)
  return {
    name: `POST ${random.pick([path])}`.replace(id, ':id'),
    options: { ...made, url, headers: { ...made.headers, cookie: desk.cookie } },
  }
}

const wechatNotice: Maker = ({ random }) => {
  const trade = {
    mchid: '1900007291',
    out_trade_no: 'T1',
    out_refund_no: 'R1',
    refund_id: 'F1',
    refund_status: 'SUCCESS',
    trade_state: 'SUCCESS',
    transaction_id: '42001',
    amount: { total: 390, currency: 'CNY' },
  }
  const type = random.pick(['TRANSACTION.SUCCESS', 'REFUND.SUCCESS', 'x'])
  const whole = message(type, random.chance(0.1) ? hostile(random) : someFields(random, trade))
  const changed = asText(random.chance(0.2) ? hostile(random) : someFields(random, JSON.parse(whole.body)))
  const made = random.chance(0.6) ? whole : { headers: signed(changed), body: changed }
  return {
    name: 'notify.wechat',
    options: { method: 'POST', url: '/pay/notify/wechat', headers: made.headers, payload: made.body },
  }
}

const alipayNotice: Maker = ({ random, keys }) => {
  const given = {
    app_id: '2021000122671080',
    out_trade_no: 'T1',
    trade_no: '2026112122001',
    trade_status: 'TRADE_SUCCESS',
    total_amount: '3.90',
    gmt_payment: '2026-11-21 12:01:02',
  }
  const fields = Object.fromEntries(
    Object.entries(someFields(random, given)).map(([key, value]) => [wellFormed(key), wellFormed(value)]),
  )
  const text = Object.keys(fields)
    .sort()
    .map((key) => `${key}=${fields[key]}`)
    .join('&')
  const signature = createSign('RSA-SHA256').update(text, 'utf8').sign(keys.alipay, 'base64')
  return {
    name: 'notify.alipay',
    options: { url: '/pay/notify/alipay', ...form({ ...fields, sign_type: 'RSA2', sign: signature }) },
  }
}

const virtualNotice: Maker = ({ random, keys }) => {
  const [timestamp, nonce] = [String(Math.floor(Date.now() / 1000)), 'n1']
  const signature = createHash('sha1').update([keys.push, timestamp, nonce].sort().join('')).digest('hex')
  const query = new URLSearchParams({ signature, timestamp, nonce, ...(random.chance(0.3) && { echostr: 'e' }) })
  const push = random.chance(0.3)
    ? hostile(random)
    : someFields(random, { Event: 'xpay_goods_deliver_notify', OutTradeNo: 'T1' })
  return {
    name: 'notify.virtual',
    options: {
      method: random.chance(0.9) ? 'POST' : 'GET',
      url: `/pay/notify/virtual?${query}`,
      headers: { 'content-type': 'application/json' },
      payload: asText(push),
    },
  }
}

const collectorEvent: Maker = ({ random, known, keys }) => {
  const news = someFields(random, {
    taskId: random.pick(known.taskId ?? ['t1']),
    event: random.pick(['SCANNED', 'COLLECTING', 'SUCCESS', 'FAILED']),
    progress: random.below(101),
    code: 'USER_REFUSED',
    answers: random.chance(0.5) ? hostile(random) : {},
    raw: hostile(random),
  })
  const body = asText(random.chance(0.05) ? hostile(random) : news)
  const [timestamp, nonce] = [String(Date.now()), 'nonce-0001']
  const signature = signMessage(keys.collector, { method: 'POST', path: EVENTS_PATH, body, timestamp, nonce })
  const headers = { 'x-timestamp': timestamp, 'x-nonce': nonce, 'x-signature': signature }
  return {
    name: 'collector',
    options: {
      method: 'POST',
      url: EVENTS_PATH,
      headers: { 'content-type': 'application/json', ...headers },
      payload: body,
    },
  }
}

const sandbox: Maker = ({ random, known }) => {
  const body = someFields(random, {
    orderId: random.pick(known.orderId ?? ['o']),
    taskId: random.pick(known.taskId ?? ['t']),
    result: random.pick(['SUCCESS', 'FAIL', 'DUPLICATE', 'SCANNED']),
    account: 'rich',
    priceFen: 10_000,
    comment: '好',
  })
  const url = random.pick(['/sandbox/pay', '/sandbox/collector', '/sandbox/desk/report', '/sandbox/cashier/x'])
  return random.chance(0.3)
    ? { name: `POST ${url}`, options: { url, ...form(body) } }
    : {
        name: `POST ${url}`,
        options: {
          method: 'POST',
          url,
          headers: { 'content-type': 'application/json' },
          payload: asText(random.chance(0.05) ? hostile(random) : body),
        },
      }
}

const places = [
  ...['/v/:x?s=:x', '/pictures/:x/a.png', '/uploads/:x?expires=:x&signature=:x', '/sandbox/cashier/:x'],
  ...['/sandbox/collector?taskId=:x', '/sandbox/sms?mobile=:x', '/wechat/login?state=:x', '/wechat/js-sdk?url=:x'],
  ...['/pages/evaluation/report/index?reportNo=:x&shareToken=:x', '/pages/evaluation/report/wxIframe?shareToken=:x'],
  ...['/desk/orders/:x', '/desk/chat/:x', '/desk/feedback/:x', '/desk/content/:x', '/desk?done=:x'],
  ...['/content/:x', '/:x', '/?a=:x', '/share.png', '/healthz', '/docs/json', '/desk/log?page=:x', '/desk/staff'],
] as const

const page: Maker = ({ random, known, desk }) => {
  const place = random.pick(places)
  const all = Object.values(known).flat()
  const url = place.replaceAll(':x', () =>
    random.chance(0.1)
      ? random.pick(['%', '%zz', '%c0%ae', '..%2f..%2f'])
      : encodeURIComponent(wellFormed(textOf(random.chance(0.4) ? random.pick(all) : hostile(random)).slice(0, 3000))),
  )
  const headers = { accept: 'text/html', ...(url.startsWith('/desk') && { cookie: desk.cookie }) }
  return { name: `GET ${place}`, options: { method: random.chance(0.95) ? 'GET' : 'HEAD', url, headers } }
}

/** Every call of the contract, and every other route with a higher weight. */
export const makers: readonly Maker[] = [
  ...Object.entries(calls).flatMap(([group, defs]) =>
    Object.entries(defs as Record<string, CallDef>).map(([name, def]) => callMaker(group, name, def)),
  ),
  ...Array<Maker>(6).fill(uploads),
  ...Array<Maker>(12).fill(deskForm),
  ...Array<Maker>(4).fill(wechatNotice),
  ...Array<Maker>(3).fill(alipayNotice),
  ...Array<Maker>(3).fill(virtualNotice),
  ...Array<Maker>(4).fill(collectorEvent),
  ...Array<Maker>(4).fill(sandbox),
  ...Array<Maker>(12).fill(page),
]
