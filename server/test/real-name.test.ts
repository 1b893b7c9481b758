import { rotate } from '../cli/identity-rotate'
import { createEncryption } from '../core/encryption'
import { requireAdult } from '../domains/accounts/real-name'
import { createTestDatabase, setupServer, startServer } from './harness'

const DAY = 86_400_000
const PERSON = { name: '张三', idNo: '11010519491231002x', consent: true } as const
const server = setupServer()
beforeEach(() => server.clock.advance(DAY))

let next = 13_900_000_000
const someone = () => server.login(String(next++))
const auth = (token: string, change: Partial<Record<keyof typeof PERSON, unknown>> = {}) =>
  server.send('POST', '/app-api/user/real/name/auth', { ...PERSON, ...change }, { token })
const realNameOf = async (token: string) => (await server.call('user', 'get', {}, { token })).body.data.realName
const adultCheck = (userId: string) =>
  requireAdult({ db: server.database.db, clock: server.clock, userId } as Parameters<typeof requireAdult>[0])

test('a passed check is masked for the owner, counts as adult for the rules, and cannot be replaced by another person', async () => {
  const { token, userId } = await someone()
  await expect(adultCheck(userId)).rejects.toMatchObject({ code: 'REALNAME_REQUIRED' })
  expect((await auth(token)).body.data).toEqual({ status: 'PASSED' })
  expect(await realNameOf(token)).toMatchObject({
    status: 'PASSED',
    nameMasked: '张*',
    idNoMasked: '1101**********002X',
  })
  await expect(adultCheck(userId)).resolves.toBeUndefined()
  await auth(token, { name: '李四', idNo: '120223198902021249' })
  expect(await realNameOf(token)).toMatchObject({ nameMasked: '张*' })
})

test('the row, the answers and the logs hold neither the name nor the number', async () => {
  const lines: string[] = []
  const own = await createTestDatabase()
  const loud = await startServer({ testDatabase: own, onLog: (line) => lines.push(line) })
  const { token } = await loud.login('13900009999')
  const answer = await loud.call('user', 'realNameAuth', PERSON, { token })
  const rows = await loud.database.db.selectFrom('real_names').selectAll().execute()
  for (const text of [JSON.stringify(rows), JSON.stringify(answer.body), lines.join()]) {
    expect(text).not.toMatch(/19491231/)
    expect(text).not.toContain('张三')
  }
  await loud.close()
  own.remove()
})

test.each([
  ['idNo', { idNo: '110105194912310021' }, '身份证号有误，请检查'],
  ['idNo', { idNo: '11010519490231002X' }, '身份证号有误，请检查'],
  ['name', { name: 'Bob' }, '请输入身份证上的姓名'],
])('a wrong %s is reported at its field and costs no attempt', async (path, change, msg) => {
  const { token } = await someone()
  const { status, body } = await auth(token, change)
  expect([status, body.data]).toEqual([400, { fields: [{ path, msg }] }])
  expect(await realNameOf(token)).toMatchObject({ status: 'NONE', triesLeft: 3 })
})

test('without the separate consent nothing is checked or stored', async () => {
  const { token } = await someone()
  expect((await auth(token, { consent: false })).status).toBe(400)
  expect(await realNameOf(token)).toMatchObject({ status: 'NONE' })
})

test('three attempts a day, also if concurrent; new ones on the next day', async () => {
  const { token } = await someone()
  const answers = await Promise.all(Array.from({ length: 6 }, () => auth(token, { name: '不匹配' })))
  const codes = answers.map((a) => a.body.code).sort()
  expect(codes).toEqual([...Array(3).fill('REALNAME_LIMIT'), ...Array(3).fill('REALNAME_MISMATCH')])
  expect(await realNameOf(token)).toMatchObject({ status: 'FAILED', reason: '姓名与身份证号不一致', triesLeft: 0 })
  server.clock.advance(DAY)
  expect((await auth(token)).body.data).toEqual({ status: 'PASSED' })
})

test('a number passes on three accounts at most, also with five concurrent requests', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, someone))
  const idNo = '130132199210293822'
  await Promise.all(people.map(({ token }) => auth(token, { name: '王五', idNo })))
  const states = await Promise.all(people.map(async ({ token }) => (await realNameOf(token)).status))
  expect(states.filter((s) => s === 'PASSED')).toHaveLength(3)
  // without the correct name nothing about the number is revealed
  const stranger = await someone()
  const guess = await auth(stranger.token, { name: '不匹配', idNo })
  expect(guess.body).toMatchObject({ code: 'REALNAME_MISMATCH', data: { reason: '姓名与身份证号不一致' } })
  expect(await realNameOf(stranger.token)).toMatchObject({ reason: '姓名与身份证号不一致' })
})

test('an authority that does not answer uses up no attempt', async () => {
  const { token } = await someone()
  const deps = server.lifecycle.deps
  if (!deps) throw new Error('not ready')
  const real = deps.providers.realName
  deps.providers.realName = { matches: () => Promise.reject(new Error('away')) }
  expect((await auth(token)).status).toBe(503)
  deps.providers.realName = real
  expect(await realNameOf(token)).toMatchObject({ triesLeft: 3 })
})

test('a minor passes but may not buy until the 18th birthday', async () => {
  const { token, userId } = await someone()
  const born = new Date(server.clock.now() - 17.5 * 365.25 * DAY).toISOString().slice(0, 10).replaceAll('-', '')
  expect((await auth(token, { name: '小明', idNo: withCheckDigit(`110105${born}001`) })).body.data).toEqual({
    status: 'PASSED',
  })
  await expect(adultCheck(userId)).rejects.toMatchObject({ code: 'MINOR_NOT_ALLOWED' })
})

test('after a key rotation old rows are decrypted, re-encrypted, and readable without the old key', async () => {
  const { token, userId } = await someone()
  await auth(token, { name: '赵六', idNo: '120223198902021249' })
  const [old] = server.settings.identityKeys
  const fresh = { id: 'k2', secret: Buffer.alloc(32, 2) }
  const { db } = server.database
  expect(await rotate(db, createEncryption([fresh, old]))).toBeGreaterThan(0)
  expect(await rotate(db, createEncryption([fresh, old]))).toBe(0)
  const row = await db.selectFrom('real_names').selectAll().where('user_id', '=', userId).executeTakeFirstOrThrow()
  expect(createEncryption([fresh]).decrypt(row.id_no_sealed ?? '', userId)).toBe('120223198902021249')
  expect(() => createEncryption([fresh]).decrypt(row.id_no_sealed ?? '', 'another user')).toThrow()
  expect(() => createEncryption([old]).decrypt(row.id_no_sealed ?? '', userId)).toThrow(/no key/)
})

/** An ID number of 17 digits with its check digit (GB 11643-1999). */
function withCheckDigit(digits: string): string {
  const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
  const sum = weights.reduce((total, weight, i) => total + weight * Number(digits[i]), 0)
  return digits + '10X98765432'[sum % 11]
}
