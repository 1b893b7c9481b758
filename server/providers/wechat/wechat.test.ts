import { signPage } from '../../http/routes/wechat'
import { parseSettings } from '../../settings'
import { startWechatApi } from '../../test/wechat-api'
import { openWechat } from '.'
import { type WechatPort, WechatRejected, WechatUnavailable } from './port'

let api: Awaited<ReturnType<typeof startWechatApi>>
let wechat: WechatPort
beforeAll(async () => {
  api = await startWechatApi()
})
afterAll(() => api.close())
beforeEach(() => {
  api.seen.length = 0
  wechat = openWechat(parseSettings(api.env))
})

const PHONE = '/wxa/business/getuserphonenumber'
const wrong = (errcode: number) => ({ body: { errcode, errmsg: 'invalid code, rid: 5f' } })
const fails = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (e: Error) => e,
  )

test('a login code of the mini-program becomes its person', async () => {
  expect(await wechat.session('C1')).toEqual({
    appId: 'wx-mini',
    openid: 'o-mini-C1',
    unionid: 'u-C1',
    sessionKey: 'tiihtNczf5v6AKRyjwEUhQ==',
  })
  expect(api.seen[0]).toMatchObject({
    method: 'GET',
    query: { appid: 'wx-mini', secret: 'mini-secret', js_code: 'C1', grant_type: 'authorization_code' },
  })
})

test('the access token is asked for once, also by parallel calls, and renewed when WeChat ended it', async () => {
  expect(await Promise.all(['13800138000', '+86 13900139000'].map((code) => wechat.phone(code)))).toEqual([
    '13800138000',
    '13900139000',
  ])
  const tokens = () =>
    api.seen.filter(({ path }) => path === '/cgi-bin/stable_token').map(({ body }) => body.force_refresh)
  expect(tokens()).toEqual([false])
  api.next.set(PHONE, wrong(40001))
  expect(await wechat.phone('13800138000')).toBe('13800138000')
  expect(tokens()).toEqual([false, true])
  const asked = api.seen.filter(({ path }) => path === PHONE)
  expect(asked.at(-1)?.query.access_token).not.toBe(asked[0]?.query.access_token)
})

test('the browser is sent to WeChat as documented, and its code becomes its person', async () => {
  const url = wechat.authorizeUrl({ redirectUri: 'https://gz.example.com/a?b=1', state: 'S1' })
  expect(url).toBe(
    'https://open.weixin.qq.com/connect/oauth2/authorize?appid=wx-web&redirect_uri=https%3A%2F%2Fgz.example.com%2Fa%3Fb%3D1&response_type=code&scope=snsapi_base&state=S1#wechat_redirect',
  )
  expect(await wechat.webUser('C2')).toEqual({ appId: 'wx-web', openid: 'o-web-C2' })
  expect(api.seen[0]?.query).toMatchObject({ appid: 'wx-web', secret: 'web-secret', code: 'C2' })
})

test.each([40029, 40163, 40226])('errcode %i is the code’s fault', async (errcode) => {
  api.next.set('/sns/jscode2session', wrong(errcode))
  expect(await fails(wechat.session('C'))).toBeInstanceOf(WechatRejected)
})

test.each([-1, 45011, 40013, 40125])(
  'errcode %i is nobody’s fault here: later, and no secret in the error',
  async (errcode) => {
    api.next.set('/sns/jscode2session', wrong(errcode))
    const error = await fails(wechat.session('C'))
    expect(error).toBeInstanceOf(WechatUnavailable)
    expect(`${error?.message}${error?.stack}`).not.toMatch(/secret=|mini-secret/)
  },
)

test('an invalid or missing answer is reported as such', async () => {
  api.next.set('/sns/oauth2/access_token', { status: 502 })
  expect(await fails(wechat.webUser('C'))).toMatchObject({ message: 'wechat: HTTP 502' })
  const away = openWechat(parseSettings({ ...api.env, WECHAT_API_BASE_URL: 'http://127.0.0.1:9' }))
  const error = await fails(away.webUser('C'))
  expect(error).toBeInstanceOf(WechatUnavailable)
  expect(`${error?.message}${error?.stack}`).not.toContain('web-secret')
})

test('a foreign number, another app’s answer and a previewed page are refused', async () => {
  const info = { purePhoneNumber: '5550100', countryCode: '1', watermark: { appid: 'wx-mini' } }
  api.next.set(PHONE, { body: { errcode: 0, phone_info: info } })
  expect(await fails(wechat.phone('x'))).toMatchObject({ why: expect.stringContaining('中国大陆') })
  api.next.set(PHONE, { body: { errcode: 0, phone_info: { ...info, watermark: { appid: 'wx-other' } } } })
  expect(await fails(wechat.phone('x'))).toBeInstanceOf(WechatUnavailable)
  api.next.set('/sns/oauth2/access_token', { body: { openid: 'o', is_snapshotuser: 1 } })
  expect(await fails(wechat.webUser('C'))).toMatchObject({ why: expect.stringContaining('预览') })
})

test('the sandbox stands in only where the server is one and no app is set up', async () => {
  const sandbox = openWechat(parseSettings({}))
  expect(await sandbox.webUser('sandbox.jia.n0nce')).toMatchObject({ openid: 'sandbox-web-jia' })
  expect(await fails(sandbox.webUser('sandbox.jia.n0nce'))).toBeInstanceOf(WechatRejected)
  expect(openWechat(parseSettings({ SANDBOX: '0' })).enabledLogins).toEqual({ mini: false, web: false })
  const closed = openWechat(parseSettings({ SANDBOX: '0' }))
  for (const ask of [closed.session('sandbox.jia.n0nce'), closed.phone('x'), closed.webUser('sandbox.jia.n0nce')])
    expect(await fails(ask)).toMatchObject({ why: expect.stringContaining('尚未开通') })
  expect(() => parseSettings({ WECHAT_MP_SECRET: 's' })).toThrow(/WECHAT_MP_APPID/)
})

test('pages are signed with a ticket that is asked for once, and the signature is that of the documentation', async () => {
  const [first, second] = await Promise.all([wechat.jsTicket(), wechat.jsTicket()])
  expect(first).toEqual({ appId: 'wx-web', ticket: expect.stringMatching(/^ticket-by-TOKEN-/) })
  expect(second).toEqual(first)
  const asked = api.seen.filter(({ path }) => path === '/cgi-bin/ticket/getticket')
  expect(asked).toEqual([expect.objectContaining({ query: { access_token: expect.any(String), type: 'jsapi' } })])
  const page = { nonceStr: 'Wm3WZYTPz0wzccnW', timestamp: 1414587457, url: 'http://mp.weixin.qq.com?params=value#x' }
  const ticket = 'sM4AOVdWfPE4DxkXGEs8VMCPGGVi4C3VM0P37wVUCFvkVAy_90u5h9nbSlYy3-Sl-HhTdfl2fzFy1AOcHKP7qg'
  expect(signPage(ticket, page)).toBe('0f9de62fce790f9a083d5c99e95740ceb90c27ed')
})

const SEND = '/cgi-bin/message/subscribe/send'
const REMINDER = 'T1_x-9:thing1=title,thing2=summary,time3=time'
const reminder = {
  openid: 'o-mini-1',
  title: '报告已出',
  summary: '“王者荣耀 · 安卓微信 · 至尊星耀 · V10”的估价报告已生成',
  // 2026-11-21 16:05 in London is the next day in China
  at: Date.UTC(2026, 10, 21, 16, 5),
  page: '/pages/evaluation/report/index?orderId=o1',
}

test('a one-time message says what its template has room for, and is tried again only where that may help', async () => {
  const able = openWechat(parseSettings({ ...api.env, WECHAT_REMINDER: REMINDER }))
  expect([able.reminderAppId, wechat.reminderAppId]).toEqual(['wx-mini', undefined])
  api.next.set(SEND, wrong(40001))
  await able.remind(reminder)
  expect(api.seen.filter(({ path }) => path === SEND)).toHaveLength(2)
  expect(api.seen.at(-1)?.body).toEqual({
    template_id: 'T1_x-9',
    page: 'pages/evaluation/report/index?orderId=o1',
    touser: 'o-mini-1',
    data: {
      thing1: { value: '报告已出' },
      thing2: { value: '“王者荣耀 · 安卓微信 · 至尊星耀…' },
      time3: { value: '2026年11月22日 00:05' },
    },
  })
  for (const [errcode, kind] of [
    [43101, WechatRejected],
    [47003, WechatRejected],
    [-1, WechatUnavailable],
  ] as const) {
    api.next.set(SEND, wrong(errcode))
    expect(await fails(able.remind(reminder))).toBeInstanceOf(kind)
  }
})

test.each([
  'T1',
  'T1:thing1=price',
  'T1:thing=title',
  'T1:time1=title',
  'T1:thing1=time',
  'T 1:thing1=title',
  'T1:number1=title',
])('a template that cannot work ends the start: %s', (value) => {
  expect(() => parseSettings({ ...api.env, WECHAT_REMINDER: value })).toThrow(/WECHAT_REMINDER/)
})

test('a text passes only when WeChat says so; an undecidable text and an unreachable service are distinguished', async () => {
  const SEC = '/wxa/msg_sec_check'
  const ask = () => wechat.isTextFine({ openid: 'o-1', text: '大号', kind: 'PROFILE' })
  const judged = (suggest: string) => ({ body: { errcode: 0, errmsg: 'ok', result: { suggest, label: 100 } } })
  for (const [suggest, fine] of Object.entries({ pass: true, review: false, risky: false })) {
    api.next.set(SEC, judged(suggest))
    expect(await ask()).toBe(fine)
  }
  expect(api.seen.find(({ path }) => path === SEC)?.body).toEqual({
    ...{ version: 2, openid: 'o-1', scene: 1, content: '大号' },
  })
  // error of a user who has not opened the mini-program within two hours
  api.next.set(SEC, wrong(61010))
  expect(await fails(ask())).toBeInstanceOf(WechatRejected)
  api.next.set(SEC, wrong(45009))
  expect(await fails(ask())).toBeInstanceOf(WechatUnavailable)
  api.next.set(SEC, { status: 502 })
  expect(await fails(ask())).toBeInstanceOf(WechatUnavailable)
  expect(wechat.checksTextsOf).toBe('wx-mini')
})
