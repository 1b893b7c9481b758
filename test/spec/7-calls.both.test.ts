/** Spec §7, with the pinned HTTP formats: calls, headers, signature, sharing. */
import { createApi } from '@/api'
import type { Api } from '@/api/api'
import { createClient } from '@/api/client'
import type { Credentials } from '@/api/deps'
import { type CallDef, specCalls } from '@/contract/calls'
import { canonicalGet } from '@/contract/query'
import { sign } from '@/contract/sign'
import { device } from '@/platform/device'
import { type CapturedRequest, fakeTransport } from '@/platform/transport/fake'

const weapp = TEST_PLATFORM === 'weapp'

/** Our name, method and path of every call in the order of the specification. */
const table = {
  User: [
    ['user.login', 'POST /app-api/user/auth/login'],
    ['user.resetPassword', 'POST /app-api/user/reset-password'],
    ['user.updatePassword', 'POST /app-api/user/update-password'],
    ['user.smsLogin', 'POST /app-api/user/auth/sms-login'],
    ['user.sendSmsCode', 'POST /app-api/user/auth/send-sms-code'],
    ['user.get', 'GET /app-api/user/get'],
    ['user.queryWeixinMiniAppBind', 'POST /app-api/user/auth/query-weixin-mini-app-bing-user'],
    ['user.socialLogin', 'POST /app-api/user/auth/social-login'],
    ['user.weixinMiniAppLogin', 'POST /app-api/user/auth/weixin-mini-app-login'],
    ['user.realNameAuth', 'POST /app-api/user/real/name/auth'],
    ['user.messages', 'GET /app-api/user/message'],
    ['user.customerServiceByOrder', 'GET /app-api/api/evaluate/user/order/get/valuation/customer-service/by-order-id'],
    ['user.channelLinks', 'GET /app-api/user/channel/on/stand/link'],
    ['user.feedbackList', 'GET /app-api/user/get/advice/feedback'],
    ['user.submitFeedback', 'POST /app-api/user/submit/advice/feedback'],
    ['user.loginOff', 'POST /app-api/user/login/off'],
    ['user.checkLoginOff', 'GET /app-api/user/check/login/off'],
    ['user.updateSettings', 'POST /app-api/user/user-settings/update'],
  ],
  Evaluation: [
    ['evaluation.gameList', 'GET /app-api/api/evaluate/user/game/list'],
    ['evaluation.gameServer', 'GET /app-api/game/server'],
    ['evaluation.gameDetail', 'GET /app-api/game/detail'],
    ['evaluation.taskCreate', 'POST /app-api/auto/task/create'],
    ['evaluation.taskRecord', 'GET /app-api/auto/task/get/record'],
    ['evaluation.gameConfig', 'GET /app-api/api/evaluate/user/game/config'],
    ['evaluation.orderList', 'POST /app-api/api/evaluate/user/order/list'],
    ['evaluation.reportGet', 'GET /app-api/api/evaluate/user/order/report/get'],
    ['evaluation.linkVerify', 'POST /app-api/api/evaluate/user/game/link/evaluate/verify'],
    ['evaluation.submitAi', 'POST /app-api/api/evaluate/user/game/submit/ai'],
    ['evaluation.consultStaff', 'GET /app-api/api/evaluate/user/game/get/consult/staff'],
    ['evaluation.applyCancel', 'POST /app-api/api/evaluate/user/order/apply/cancel'],
    ['evaluation.submitManual', 'POST /app-api/api/evaluate/user/game/submit/manual'],
    ['evaluation.saveGameFeedback', 'POST /app-api/api/evaluate/user/game/save/game/feedback'],
    ['evaluation.saveEvaluation', 'POST /app-api/api/evaluate/user/order/save/valuation/evaluation'],
    ['evaluation.getEvaluation', 'GET /app-api/api/evaluate/user/order/get/valuation/evaluation'],
    ['evaluation.reportImage', 'GET /app-api/api/evaluate/user/order/get/report-image'],
    ['evaluation.reportImageShare', 'GET /app-api/api/evaluate/user/order/get/report-image/share'],
    ['evaluation.unlockRecord', 'GET /app-api/report/unlock/order/unlock/record'],
    ['evaluation.unlockHelpList', 'GET /app-api/report/unlock/unlock/user/help/list'],
    ['evaluation.unlockHelp', 'POST /app-api/report/unlock/unlock/user/help'],
    ['evaluation.hotGame', 'POST /app-api/api/evaluate/user/game/hot/game'],
    ['evaluation.contrastAnalysis', 'POST /app-api/api/evaluate/user/order/contrast/analysis'],
  ],
  App: [
    ['app.banner', 'GET /app-api/home/banner'],
    ['app.homeDataCount', 'GET /app-api/home/app-home-data-count'],
    ['app.lastFifteenOrder', 'GET /app-api/home/last-fifteen-order'],
    ['app.homeGameList', 'GET /app-api/home/app-home-game-list'],
    ['app.documentGet', 'GET /app-api/home/document/get'],
    ['app.stsPost', 'POST /app-api/common/sts'],
    ['app.stsGet', 'GET /app-api/common/sts'],
    ['app.openPayStatus', 'GET /app-api/common/open-pay-status'],
    ['app.helpCenter', 'GET /app-api/user/help/center'],
    ['app.informationPage', 'POST /app-api/information/page'],
    ['app.informationDetail', 'GET /app-api/information/detail'],
    ['app.excellentReportList', 'GET /app-api/home/excellent-report-list'],
    ['app.latestVersion', 'GET /app-api/common/app/latest_version'],
    ['app.feedbackUserCount', 'GET /app-api/home/advice-feedback/user-count'],
    ['app.countHit', 'POST /app-api/common/public/count/hit'],
  ],
  Coupon: [
    ['coupon.canReceive', 'POST /app-api/api/evaluate/user/coupon/can/receive'],
    ['coupon.receive', 'POST /app-api/api/evaluate/user/coupon/receive'],
    ['coupon.getByStatus', 'POST /app-api/api/evaluate/user/coupon/get/by/status'],
    ['coupon.getCanUse', 'GET /app-api/api/evaluate/user/coupon/get/can/use'],
  ],
  Pay: [
    ['pay.orderCount', 'POST /app-api/api/evaluate/user/order/get/order/count'],
    ['pay.createPre', 'POST /app-api/api/evaluate/user/order/create/pre'],
    ['pay.payType', 'GET /app-api/api/evaluate/user/order/pay/type'],
    ['pay.payResult', 'GET /app-api/api/evaluate/user/order/pay/result'],
    ['pay.payment', 'POST /app-api/api/evaluate/user/order/payment'],
    ['pay.getInfo', 'GET /app-api/api/evaluate/user/order/get/info'],
    ['pay.createAiPre', 'POST /app-api/api/evaluate/user/order/create/ai/pre'],
    ['pay.closeOrder', 'POST /app-api/api/evaluate/user/order/close/order'],
    ['pay.adUnitId', 'GET /app-api/report/unlock/order/unlock/adUnitId'],
    ['pay.adUnlock', 'POST /app-api/report/unlock/order/unlock/ad'],
  ],
} as const

const BASE = 'https://api.test'
const START = 1763692800000
const envelope = (data: unknown) => ({ success: true, code: 'OK', msg: '操作成功', data })

function setup(first: Credentials = {}, { now = Date.now, random = 0.0421375 } = {}) {
  let credentials = first
  const { transport, caught } = fakeTransport()
  const api = createApi(
    createClient({
      base: BASE,
      secret: 'test-secret',
      transport,
      device,
      credentials: () => credentials,
      now,
      random: () => random,
      showError: () => undefined,
      promptRetry: () => ({ answer: Promise.resolve(false), close: () => undefined }),
    }).call,
  )
  const nth = (i: number): CapturedRequest => {
    const c = caught[i]
    if (!c) throw new Error(`no request ${i}; there are ${caught.length}`)
    return c
  }
  const become = (next: Credentials) => {
    credentials = next
  }
  return { api, caught, nth, become }
}

type AnyCall = (req?: object) => Promise<unknown>

/** A call by its name in the table. */
function callOf(api: Api, name: string): AnyCall {
  const [group = '', call = ''] = name.split('.')
  const found = (api as unknown as Record<string, Record<string, AnyCall | undefined>>)[group]?.[call]
  if (!found) throw new Error(`no call ${name}`)
  return found
}

beforeEach(() => jest.useFakeTimers({ now: START }))
afterEach(() => jest.useRealTimers())

describe('calls', () => {
  const rows = Object.values(table).flat()

  it('70, and no other', () => {
    expect(rows).toHaveLength(70)
    const ours = Object.entries(specCalls).flatMap(([group, defs]) =>
      Object.entries(defs as Record<string, CallDef>).map(([name, def]) => [
        `${group}.${name}`,
        `${def.method} ${def.path}`,
      ]),
    )
    expect(ours).toEqual(rows)
  })

  it.each(rows)('%s: %s goes to the api base plus the path', (name, end) => {
    const t = setup()
    void callOf(t.api, name)({})
    expect(`${t.nth(0).method} ${t.nth(0).url}`).toBe(end.replace(' ', ` ${BASE}`))
  })
})

describe('headers on each call', () => {
  const channel = { channelCode: '抖音', bd_vid: 'b1', reportUnlockRecordId: 'r1' }
  const headers = () => {
    const t = setup({ token: 'T1', userId: 'u1', ...channel })
    void t.api.evaluation.gameConfig({ gameId: 'hok', mode: 'AI' })
    return t.nth(0).headers
  }

  it.each([
    ['content type json', 'content-type', 'application/json'],
    ['version', 'version', '2.0.4'],
    ['platform', 'platform', weapp ? 'weapp' : 'h5'],
    ['OS', 'os', weapp ? 'ios' : 'other'],
    ['timestamp (milliseconds)', 'timestamp', '1763692800000'],
    ['a 6-digit random number', 'random', '042137'],
    ['a signature', 'sign', '0b642ebdc3ec6c632ec35634c6f5e9f3'],
    ['Token when logged in', 'Token', 'T1'],
    ['user id when logged in', 'userId', 'u1'],
    [
      'ChannelInfo json when present',
      'ChannelInfo',
      '%7B%22channelCode%22%3A%22%E6%8A%96%E9%9F%B3%22%2C%22bd_vid%22%3A%22b1%22%2C%22report_unlock_record_id%22%3A%22r1%22%7D',
    ],
  ])('%s', (_spec, name, value) => expect(headers()[name]).toBe(value))

  it('and no other', () => expect(Object.keys(headers())).toHaveLength(10))

  it('no Token, user id or ChannelInfo before a login', () => {
    const t = setup()
    void t.api.app.homeDataCount()
    const names = ['content-type', 'version', 'platform', 'os', 'timestamp', 'random', 'sign']
    expect(Object.keys(t.nth(0).headers)).toEqual(names)
  })

  it.each([
    [{ channelCode: 'c1' }, { channelCode: 'c1' }],
    [{ bd_vid: 'b1' }, { bd_vid: 'b1' }],
    [{ reportUnlockRecordId: 'r1' }, { report_unlock_record_id: 'r1' }],
  ])('ChannelInfo holds only what is set: %j', (known, sent) => {
    const t = setup(known)
    void t.api.app.homeDataCount()
    expect(JSON.parse(decodeURIComponent(t.nth(0).headers.ChannelInfo ?? ''))).toEqual(sent)
  })

  it.each([
    [0, '000000'],
    [0.0000011, '000001'],
    [0.9999999, '999999'],
  ])('random %f is sent as %s: leading zeros kept', (random, sent) => {
    const t = setup({}, { random })
    void t.api.app.homeDataCount()
    expect(t.nth(0).headers.random).toBe(sent)
  })

  it('header values are ASCII', () => {
    for (const value of Object.values(headers())) expect(value).toMatch(/^[\x20-\x7e]+$/)
  })
})

describe('signature: the test vectors, with the secret test-secret', () => {
  const hostile = { keyword: '原神 a&b=c', pageNo: 1, x: undefined, Z: true, a: [1, '二'] }
  const feedback = '{"content":"估价\\"不准\\"\\n😀","images":[]}'

  it.each([
    ['GET', { gameId: 'hok', mode: 'AI' }, 1763692800000, '042137', '0b642ebdc3ec6c632ec35634c6f5e9f3'],
    ['GET', {}, 1763692800000, '999999', '5d45c9b4c62b7e533616de5f0308fa4e'],
    ['GET', hostile, 1763692800123, '100000', '620dcf7797b6a64f6e1dcd2f2eb7709d'],
    ['POST', '{"mobile":"13800138000","code":"123456"}', 1763692800000, '042137', '6f1a59fb56f894422f71ca9782251868'],
    ['POST', '', 1763692800000, '042137', '038775d73b5e14254a214790dd3731c3'],
    ['POST', feedback, 1763692800000, '300001', 'a8da4122ca97fd646919e1c1e98bf245'],
  ] as const)('%s %j at %i with %s', (_method, input, timestamp, random, expected) => {
    const canonical = typeof input === 'string' ? input : canonicalGet(input)
    expect(sign({ canonical, timestamp, random, secret: 'test-secret' })).toBe(expected)
  })

  it('a GET signs its plain parameters and sends them percent-encoded', () => {
    const t = setup({}, { now: () => 1763692800123, random: 0.1000005 })
    void callOf(t.api, 'evaluation.gameList')(hostile)
    expect(t.nth(0).url).toBe(
      `${BASE}/app-api/api/evaluate/user/game/list?Z=true&a=%5B1%2C%22%E4%BA%8C%22%5D&keyword=%E5%8E%9F%E7%A5%9E%20a%26b%3Dc&pageNo=1`,
    )
    expect(t.nth(0).headers.sign).toBe('620dcf7797b6a64f6e1dcd2f2eb7709d')
    expect(t.nth(0).body).toBeUndefined()
  })

  it('a POST signs the exact body text that it sends', () => {
    const t = setup({}, { random: 0.3000015 })
    void callOf(t.api, 'user.submitFeedback')({ content: '估价"不准"\n😀', images: [] })
    expect(t.nth(0).body).toBe(feedback)
    expect(t.nth(0).headers.sign).toBe('a8da4122ca97fd646919e1c1e98bf245')
  })
})

describe('sharing', () => {
  const ask = (t: ReturnType<typeof setup>) => t.api.app.homeDataCount().catch(() => undefined)

  it('identical requests are de-duplicated while in flight, however long that takes', async () => {
    const t = setup()
    const answers = [ask(t)]
    await jest.advanceTimersByTimeAsync(30_000)
    answers.push(ask(t))
    t.nth(0).reply(200, envelope({ users: 7 }))
    expect(await Promise.all(answers)).toEqual([{ users: 7 }, { users: 7 }])
    expect(t.caught).toHaveLength(1)
  })

  it.each([
    [299, 1],
    [300, 2],
  ])('a repeat of the same request after %i ms makes %i requests', async (ms, requests) => {
    const t = setup()
    const first = ask(t)
    t.nth(0).reply(200, envelope(1))
    await first
    await jest.advanceTimersByTimeAsync(ms)
    void ask(t)
    expect(t.caught).toHaveLength(requests)
  })

  it('another path, parameter, token or user is another request', () => {
    const t = setup({ token: 'A', userId: '1' })
    const get = (orderId: string) => void t.api.pay.getInfo({ orderId }).catch(() => undefined)
    get('1')
    get('2')
    void t.api.pay.payResult({ orderId: '1' }).catch(() => undefined)
    t.become({ token: 'B', userId: '1' })
    get('1')
    t.become({ token: 'B', userId: '2' })
    get('1')
    get('1')
    expect(t.caught).toHaveLength(5)
  })

  it.each([
    ['GET', 'app.homeDataCount', 1],
    ['POST that reads', 'evaluation.hotGame', 1],
    ['POST that changes state', 'user.smsLogin', 2],
  ])('a failure of a %s (%s) repeated at once makes %i requests', async (_kind, name, requests) => {
    const t = setup()
    const failed = callOf(t.api, name)({}).catch(() => undefined)
    t.nth(0).reply(503, '')
    await failed
    void callOf(t.api, name)({}).catch(() => undefined)
    expect(t.caught).toHaveLength(requests)
  })
})
