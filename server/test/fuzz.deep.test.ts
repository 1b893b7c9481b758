import { calls } from '@/contract/calls'
import { createSession } from '../domains/accounts/login/sessions'
import { sandboxLogins } from '../domains/staff/accounts'
import { createRandom } from './fuzz/random'
import { type FuzzContext, makers, type Request } from './fuzz/requests'
import { createTestDatabase, someAnswers, startServer, type TestDatabase, type TestServer } from './harness'
import { configOf } from './orders'
import { alipayKeys, allProvidersEnv, PUSH_TOKEN } from './pay/all-providers'
import { startWechatStub, type WechatStub } from './pay/wechat-stub'
import { startWechatApi } from './wechat-api'

jest.setTimeout(900_000)

/**
 * Random requests to every call and route of the server, valid, slightly wrong and hostile: none causes a server error,
 * none hangs. The seed is printed; `FUZZ_SEED` repeats a run, `FUZZ_REQUESTS` makes it longer.
 */
const SEED = Number(process.env.FUZZ_SEED ?? Date.now() % 1_000_000_000)
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 30_000)
/** concurrent requests */
const CONCURRENCY = 8
/** ms without an answer: a long poll, which is not held here, takes 25 s */
const HANGS_AFTER = 20_000
const DAY = 86_400_000

const COLLECTOR_SECRET = 'collector-secret-16'

let testDatabase: TestDatabase
let server: TestServer
let stand: WechatStub
let api: Awaited<ReturnType<typeof startWechatApi>>
const faults: string[] = []
beforeAll(async () => {
  stand = await startWechatStub()
  api = await startWechatApi()
  // the sandbox's WeChat returns a number for any code
  const phone = { phoneNumber: '13900000009', purePhoneNumber: '13900000009', countryCode: '86' }
  api.answers['/wxa/business/getuserphonenumber'] = () => ({ errcode: 0, errmsg: 'ok', phone_info: phone })
  testDatabase = await createTestDatabase()
  server = await startServer({
    testDatabase,
    games: ['ys', 'naraka'],
    env: {
      ...allProvidersEnv(stand.url, api.url),
      COLLECTOR_URL: stand.url,
      COLLECTOR_SECRET,
    },
    onLog: (line) => {
      if (line.includes('request failed')) faults.push(line.slice(0, 1500))
    },
  })
  // long polling is off
  server.lifecycle.deps?.chatNotifier.stop()
})
afterAll(async () => {
  await server.close()
  await stand.close()
  await api.close()
  testDatabase.remove()
})

/** Ids of users, orders, reports and everything else a request may refer to. */
async function furnish() {
  const { call, database, clock } = server
  const config = await configOf(server, 'naraka')
  const { gameId, schemaVersion } = config
  const users = [await server.login('13900000001'), await server.login('13900000002')]
  const known: Record<string, unknown[]> = { orderId: [], reportNo: [], shareToken: [], recordId: [], taskId: [] }
  for (const [i, { token }] of users.entries()) {
    const as = { token }
    const req = { gameId, schemaVersion, answers: someAnswers(config, i), source: 'TYPED' as const }
    const { orderId } = (await call('evaluation', 'submitAi', req, as)).body.data
    const { reportNo } = (await call('evaluation', 'reportGet', { orderId }, as)).body.data
    const { shareToken } = (await call('evaluation', 'reportImageShare', { orderId }, as)).body.data
    const { recordId } = (await call('evaluation', 'unlockRecord', { orderId }, as)).body.data
    const manual = { gameId, schemaVersion, answers: someAnswers(config, i + 2), level: 'STD' as const }
    const second = (await call('evaluation', 'submitManual', manual, as)).body.data?.orderId
    const task = (await call('evaluation', 'taskCreate', { gameId: 'ys', loginType: 'QR' }, as)).body.data?.taskId
    known.orderId?.push(orderId, ...(second ? [second] : []))
    known.reportNo?.push(reportNo)
    known.shareToken?.push(shareToken)
    known.recordId?.push(recordId)
    if (task) known.taskId?.push(task)
    await call('user', 'submitFeedback', { type: 4, content: '登录以后看不到我的订单和报告了' }, as)
    await call('chat', 'send', { clientId: 'c1', type: 'TEXT', content: '在吗' }, as)
  }
  const templates = await database.db.selectFrom('coupon_templates').select('template_id').execute()
  const feedback = await database.db.selectFrom('feedback').select('id').execute()
  const userIds = users.map(({ userId }) => userId)
  Object.assign(known, {
    gameId: ['naraka', 'ys'],
    schemaVersion: [schemaVersion],
    answers: [someAnswers(config), someAnswers(config, 5)],
    templateId: templates.map(({ template_id }) => template_id),
    mobile: ['13900000001', '13900000002', '13900000003'],
    password: ['abcd1234'],
    code: ['123456'],
    scene: ['ACCOUNT', 1, 3],
    orderIds: [known.orderId?.slice(0, 2)],
    deskId: [...(known.orderId ?? []), ...userIds, ...feedback.map(({ id }) => id), '1', 'sandbox-desk-appraiser'],
  })
  const sessions = async () =>
    Promise.all(userIds.map((id) => createSession(database.db, id, { clock, device: 'fuzz' })))
  return { known, sessions, userId: userIds[0] ?? '' }
}

async function signInAtDesk(): Promise<FuzzContext['desk']> {
  const { admin, password } = sandboxLogins
  const login = await server.app.inject({
    method: 'POST',
    url: '/desk/login',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ name: admin, password }).toString(),
  })
  const cookie = String(login.headers['set-cookie']).split(';')[0] ?? ''
  const page = await server.app.inject({ url: '/desk', headers: { cookie } })
  return { cookie, csrf: /name="csrf" value="(\w+)"/.exec(page.body)?.[1] ?? '' }
}

async function uploadForm(userId: string): Promise<FuzzContext['upload']> {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('no server')
  const { token, dir } = await deps.providers.storage.permit(userId, deps.clock.now())
  return { ...JSON.parse(token), key: `${dir}00000000-0000-4000-8000-000000000001` }
}

/** The failure of one request; undefined: it was answered correctly. */
async function problemOf({ name, options }: Request): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<'hung'>((resolve) => {
    timer = setTimeout(() => resolve('hung'), HANGS_AFTER)
  })
  try {
    const answer = await Promise.race([server.app.inject(options), late])
    if (answer === 'hung') return `${name}: no answer`
    return answer.statusCode >= 500 ? `${name}: ${answer.statusCode} ${answer.body.slice(0, 200)}` : undefined
  } catch (error) {
    return `${name}: ${error}`
  } finally {
    clearTimeout(timer)
  }
}

test(`${REQUESTS} random requests: none is an error of ours, none hangs (FUZZ_SEED=${SEED})`, async () => {
  const rejections: unknown[] = []
  const onRejection = (reason: unknown) => rejections.push(reason)
  process.on('unhandledRejection', onRejection)
  process.stderr.write(`FUZZ_SEED=${SEED} FUZZ_REQUESTS=${REQUESTS}\n`)
  const random = createRandom(SEED)
  const { known, sessions, userId } = await furnish()
  const keys = { alipay: alipayKeys.privateKey, push: PUSH_TOKEN, collector: COLLECTOR_SECRET }
  const fresh = async (): Promise<FuzzContext> => ({
    random,
    known,
    tokens: await sessions(),
    desk: await signInAtDesk(),
    upload: await uploadForm(userId),
    keys,
  })
  const problems: { n: number; what: string; options: string }[] = []
  const asked = new Map<string, number>()
  let world = await fresh()
  let sent = 0
  const begun = performance.now()
  while (sent < REQUESTS && problems.length < 20) {
    // renews expired logins, daily limits and expired upload forms
    if (sent % 2000 === 0) {
      server.clock.advance(2 * DAY)
      world = await fresh()
    }
    const batch = Array.from({ length: CONCURRENCY }, () => random.pick(makers)(world))
    const found = await Promise.all(batch.map(problemOf))
    for (const [i, { name, options }] of batch.entries()) {
      asked.set(name, (asked.get(name) ?? 0) + 1)
      const what = found[i]
      if (what) problems.push({ n: sent + i, what, options: JSON.stringify(options).slice(0, 1500) })
    }
    sent += CONCURRENCY
  }
  process.off('unhandledRejection', onRejection)
  process.stderr.write(`${sent} requests in ${Math.round((performance.now() - begun) / 1000)} s\n`)
  expect({ problems, faults, rejections }).toEqual({
    problems: [],
    faults: [],
    rejections: [],
  })
  const missed = Object.entries(calls).flatMap(([group, defs]) =>
    Object.keys(defs).filter((name) => (asked.get(`${group}.${name}`) ?? 0) < 20),
  )
  expect(REQUESTS < 30_000 ? [] : missed).toEqual([])
})
