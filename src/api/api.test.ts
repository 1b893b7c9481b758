import { createApi } from '@/api'
import { createClient } from '@/api/client'
import type { ApiDeps, Credentials } from '@/api/deps'
import type { ApiError } from '@/api/error'
import { createAbortableSignal } from '@/lib/abortableSignal'
import { type CapturedRequest, fakeTransport } from '@/platform/transport/fake'
import { NetFailure, networkCode } from '@/platform/transport/port'

const ok = (data: unknown) => ({ success: true, code: 'OK', msg: '操作成功', data })
const refused = (code: string | number, data: unknown = null) => ({ success: false, code, msg: '', data })
/** The error of a call. */
const failed = (call: Promise<unknown>) => call.catch((e: ApiError) => e)
const START = 1763692800000

function setup(first: Credentials = {}, heardTime?: ApiDeps['onServerTime']) {
  let credentials = first
  const { transport, caught, aborted } = fakeTransport()
  const told: ApiError[] = []
  const questions: string[] = []
  let tapped: (again: boolean) => void = () => undefined
  const client = createClient({
    base: 'https://api.test',
    secret: 'test-secret',
    transport,
    device: { platform: 'weapp', os: () => 'ios' },
    credentials: () => credentials,
    now: Date.now,
    random: () => 0.042137,
    ...(heardTime && { onServerTime: heardTime }),
    showError: (e) => void told.push(e),
    promptRetry(text) {
      questions.push(text)
      const answer = new Promise<boolean>((resolve) => {
        tapped = resolve
      })
      return { answer, close: () => tapped(false) }
    },
  })
  const nth = (i: number): CapturedRequest => {
    const c = caught[i]
    if (!c) throw new Error(`no request ${i}; there are ${caught.length}`)
    return c
  }
  return {
    api: createApi(client.call),
    transfer: client.transfer,
    transport,
    caught,
    aborted,
    told,
    questions,
    nth,
    tap: (again: boolean) => tapped(again),
    become: (next: Credentials) => {
      credentials = next
    },
  }
}

const settled = () => jest.advanceTimersByTimeAsync(0)

beforeEach(() => jest.useFakeTimers({ now: START }))
afterEach(() => jest.useRealTimers())

describe('requests (spec §7)', () => {
  it('puts every header on a call of a known user who came through a channel', async () => {
    const t = setup({ token: 'T', userId: 'u1', channelCode: '抖音', bd_vid: 'b', reportUnlockRecordId: 'r' })
    void t.api.user.smsLogin({ mobile: '13800138000', code: '123456' })
    const { url, method, headers, body, timeoutMs } = t.nth(0)
    expect([method, url, timeoutMs]).toEqual(['POST', 'https://api.test/app-api/user/auth/sms-login', 60_000])
    expect(body).toBe('{"mobile":"13800138000","code":"123456"}')
    expect(headers).toEqual({
      'content-type': 'application/json',
      version: '2.0.4',
      platform: 'weapp',
      os: 'ios',
      timestamp: '1763692800000',
      random: '042137',
      sign: '6f1a59fb56f894422f71ca9782251868',
      Token: 'T',
      userId: 'u1',
      ChannelInfo: encodeURIComponent('{"channelCode":"抖音","bd_vid":"b","report_unlock_record_id":"r"}'),
    })
  })

  it('leaves out what is not known, and signs the plain query that it sends encoded', async () => {
    const t = setup({ channelCode: undefined })
    void t.api.evaluation.gameConfig({ gameId: 'hok', mode: 'AI' })
    expect(t.nth(0).url).toBe('https://api.test/app-api/api/evaluate/user/game/config?gameId=hok&mode=AI')
    expect(t.nth(0).headers.sign).toBe('0b642ebdc3ec6c632ec35634c6f5e9f3')
    expect(Object.keys(t.nth(0).headers).filter((h) => /token|userid|channel/i.test(h))).toEqual([])
  })

  it('signs a query with half an emoji', async () => {
    const t = setup()
    void t.api.evaluation.gameList({ keyword: `原神${'😀'.slice(0, 1)}` })
    expect(decodeURIComponent(t.nth(0).url)).toContain('keyword=原神\uFFFD')
  })
})

describe('sharing (spec §7, §9)', () => {
  it('shares a call under way, then its result for 300 ms from its start, and forgets after 1 s', async () => {
    const t = setup()
    const answers = [t.api.app.homeDataCount(), t.api.app.homeDataCount()]
    await jest.advanceTimersByTimeAsync(250)
    t.nth(0).reply(200, ok({ users: 7 }))
    expect(await Promise.all(answers)).toEqual([{ users: 7 }, { users: 7 }])
    await jest.advanceTimersByTimeAsync(49)
    await t.api.app.homeDataCount()
    expect(t.caught).toHaveLength(1)
    await jest.advanceTimersByTimeAsync(1)
    void t.api.app.homeDataCount()
    expect(t.caught).toHaveLength(2)
  })

  it('shares for as long as a call is under way, even past 300 ms', async () => {
    const t = setup()
    void t.api.app.banner({ place: 'HOME' })
    await jest.advanceTimersByTimeAsync(5_000)
    void t.api.app.banner({ place: 'HOME' })
    expect(t.caught).toHaveLength(1)
  })

  it('never shares between users, tokens or different requests', () => {
    const t = setup({ token: 'A', userId: '1' })
    void t.api.user.get().catch(() => undefined)
    for (const userId of ['1', '2']) {
      t.become({ token: 'B', userId })
      void t.api.user.get().catch(() => undefined)
    }
    void t.api.pay.getInfo({ orderId: '1' })
    void t.api.pay.getInfo({ orderId: '2' })
    expect(t.caught).toHaveLength(5)
  })

  it('keeps running reads when something was counted or a read was retried by tap, not when an order was urged', async () => {
    const t = setup()
    const read = () => void t.api.app.homeDataCount()
    const paths = () => t.caught.map(({ url }) => url.split('/').at(-1))
    read()
    void t.api.app.countHit({ key: 'VISIT' })
    t.nth(1).reply(200, ok({ n: 1 }))
    await settled()
    read()
    expect(paths()).toEqual(['app-home-data-count', 'hit'])
    void t.api.app.feedbackUserCount()
    t.nth(2).fail(new NetFailure(networkCode.failure))
    await settled()
    t.tap(true)
    await settled()
    t.nth(3).reply(200, ok({ n: 1 }))
    await settled()
    read()
    expect(paths()).toEqual(['app-home-data-count', 'hit', 'user-count', 'user-count'])
    void t.api.app.countHit({ key: 'ORDER_URGE', bizId: '1' })
    t.nth(4).reply(200, ok({ n: 1 }))
    await settled()
    read()
    expect(paths().slice(4)).toEqual(['hit', 'app-home-data-count'])
  })

  it('hands out a failure again only where nothing is changed', async () => {
    const t = setup()
    const quiet = { quiet: true } as const
    const attempts = () => [
      t.api.evaluation.hotGame({ limit: 4 }, quiet).catch((e: ApiError) => e.status),
      t.api.user.smsLogin({ mobile: '13800138000', code: '1' }, quiet).catch((e: ApiError) => e.status),
    ]
    const first = Promise.all(attempts())
    t.nth(0).reply(503, '')
    t.nth(1).reply(503, '')
    expect(await first).toEqual([503, 503])
    void attempts()
    await settled()
    expect(t.caught.slice(2).map((c) => c.url)).toEqual(['https://api.test/app-api/user/auth/sms-login'])
  })
})

describe('leaving a page', () => {
  it('aborts the request when its last caller has left, without an error message', async () => {
    const t = setup()
    const [a, b] = [createAbortableSignal(), createAbortableSignal()]
    const results = [a, b].map((signal) => t.api.app.homeDataCount({}, { signal }).catch((e: ApiError) => e.kind))
    a.abort()
    expect(await results[0]).toBe('abort')
    expect(t.aborted).toHaveLength(0)
    b.abort()
    expect(await results[1]).toBe('abort')
    expect(t.aborted).toHaveLength(1)
    expect(t.told).toEqual([])
    void t.api.app.homeDataCount()
    expect(t.caught).toHaveLength(2)
  })
})

describe('clock', () => {
  it('takes the server time from a 460 and tries once; later calls use it at once', async () => {
    const t = setup()
    const result = t.api.app.homeDataCount()
    t.nth(0).reply(460, refused('ILLEGAL_REQUEST'), { date: new Date(START + 3_600_000).toUTCString() })
    await settled()
    expect(t.nth(1).headers.timestamp).toBe(String(START + 3_600_000))
    t.nth(1).reply(200, ok(1))
    expect(await result).toBe(1)
    void t.api.app.banner({ place: 'HOME' })
    expect(t.nth(2).headers.timestamp).toBe(String(START + 3_600_000))
  })

  it('corrects every one of the calls that left before the first answer', async () => {
    const t = setup()
    const both = [t.api.app.homeDataCount(), t.api.app.banner({ place: 'HOME' })]
    for (const i of [0, 1]) t.nth(i).reply(460, null, { date: new Date(START + 3_600_000).toUTCString() })
    await settled()
    expect([2, 3].map((i) => t.nth(i).headers.timestamp)).toEqual(Array(2).fill(String(START + 3_600_000)))
    for (const i of [2, 3]) t.nth(i).reply(200, ok(i))
    expect(await Promise.all(both)).toEqual([2, 3])
    expect(t.told).toEqual([])
  })

  it('takes the server’s time from any response, for times on screens', async () => {
    const heardTime = jest.fn()
    const t = setup({}, heardTime)
    void t.api.app.homeDataCount()
    t.nth(0).reply(200, ok(1), { date: new Date(START).toUTCString() })
    await settled()
    expect(heardTime.mock.calls).toEqual([[START]])
  })

  it('does not retry when the clock is right, nor a second time', async () => {
    const t = setup()
    const near = t.api.app.homeDataCount().catch((e: ApiError) => e.msg)
    t.nth(0).reply(460, null, { date: new Date(START + 5_000).toUTCString() })
    expect(await near).toBe('非法请求，请联系客服')
    const far = t.api.app.banner({ place: 'HOME' }).catch((e: ApiError) => e.status)
    t.nth(1).reply(460, null, { date: new Date(START + 3_600_000).toUTCString() })
    await settled()
    t.nth(2).reply(460, null, { date: new Date(START + 9_600_000).toUTCString() })
    expect(await far).toBe(460)
    expect(t.caught).toHaveLength(3)
  })
})

describe('expired session', () => {
  it.each([
    ['HTTP 401', 401, ''],
    ['body code 401', 200, refused(401)],
    ['body code NOT_LOGGED_IN', 200, refused('NOT_LOGGED_IN')],
  ])('is shown even when the screen is quiet: %s', async (_name, status, data) => {
    const t = setup({ token: 'old' })
    const result = failed(t.api.user.get({}, { quiet: true }))
    t.nth(0).reply(status, data)
    expect(await result).toMatchObject({ behaviour: 'relogin', usedToken: 'old', msg: '登录已过期，请重新登录' })
    expect(t.told).toHaveLength(1)
  })

  it('is not reported by a call that is always quiet', async () => {
    const t = setup({ token: 'old' })
    const result = failed(t.api.user.get({}, { quiet: 'always' }))
    t.nth(0).reply(401, '')
    expect(await result).toMatchObject({ behaviour: 'relogin' })
    expect(t.told).toEqual([])
  })
})

describe('network failure', () => {
  it('asks for a tap and then answers the first caller', async () => {
    const t = setup()
    const result = t.api.app.homeDataCount()
    t.nth(0).fail(new NetFailure(networkCode.failure))
    await jest.advanceTimersByTimeAsync(400)
    expect(t.questions).toEqual(['网络连接超时，请点击屏幕重试'])
    t.tap(true)
    await settled()
    t.nth(1).reply(200, ok('later'))
    expect(await result).toBe('later')
    expect(t.told).toEqual([])
  })

  it.each([true, [networkCode.failure]])('leaves the error to a quiet screen: %s', async (quiet) => {
    const t = setup()
    const result = t.api.app.homeDataCount({}, { quiet }).catch((e: ApiError) => e.code)
    t.nth(0).fail(new NetFailure(networkCode.failure))
    expect(await result).toBe(5)
    expect([t.questions, t.told]).toEqual([[], []])
  })
})

it('shows no message for body codes that the screen handles, and only for those', async () => {
  const t = setup()
  const run = (i: number, code: string) => {
    const result = t.api.pay.payResult({ orderId: `${i}` }, { quiet: ['PAY_CLOSED'] }).catch((e: ApiError) => e.msg)
    t.nth(i).reply(200, { success: false, code, msg: `说明 ${code}`, data: null })
    return result
  }
  expect(await run(0, 'PAY_CLOSED')).toBe('说明 PAY_CLOSED')
  expect(await run(1, 'GAME_OFFLINE')).toBe('说明 GAME_OFFLINE')
  expect(t.told.map((e) => e.code)).toEqual(['GAME_OFFLINE'])
})

describe('upload and download', () => {
  const setupTransfer = () => {
    const t = setup()
    const start = () => t.transport.download({ url: 'https://cdn.test/a.png', headers: {}, timeoutMs: 60_000 })
    return { ...t, run: (options = {}) => failed(t.transfer(start, options)) }
  }

  it('fail by the same table and show one message', async () => {
    const t = setupTransfer()
    const broken = t.run()
    t.nth(0).fail(new NetFailure(networkCode.transfer))
    const refused = t.run()
    t.nth(1).reply(403, '')
    expect([await broken, await refused]).toMatchObject([
      { code: 602001, msg: '上传或下载失败，请检查网络后重试' },
      { status: 403, msg: '该页面拒绝或禁止访问' },
    ])
    expect(t.told).toHaveLength(2)
  })

  it('are aborted with the page, without a message', async () => {
    const signal = createAbortableSignal()
    const t = setupTransfer()
    const result = t.run({ signal })
    signal.abort()
    expect(await result).toMatchObject({ kind: 'abort' })
    expect(t.told).toEqual([])
  })
})
