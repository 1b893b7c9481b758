import { addStaff, resetPassword } from '../domains/staff/accounts'
import { signIn } from '../domains/staff/sessions'
import { setupServer } from './harness'

/** Called after each password verification, before its result is used, to run something in the middle of a login. */
let afterVerify: () => Promise<void> = async () => undefined
jest.mock('@node-rs/argon2', () => {
  const argon2 = jest.requireActual('@node-rs/argon2')
  return {
    ...argon2,
    verify: async (...given: unknown[]) => {
      const right = await argon2.verify(...given)
      const [run, none] = [afterVerify, async () => undefined]
      afterVerify = none
      await run()
      return right
    },
  }
})

const DAY = 86_400_000
const server = setupServer()
// limits of codes count per day
beforeEach(() => server.clock.advance(2 * DAY))

let next = 13_600_000_000
const codeFor = async (mobile: string, scene: 3 | 4) => {
  server.clock.advance(60_000)
  await server.call('user', 'sendSmsCode', { mobile, scene })
  return server.sms.newestCode(mobile) ?? ''
}

/** A user with the password `abcd1234`. */
async function someone() {
  const mobile = String(next++)
  const { token, userId } = await server.login(mobile)
  const code = await codeFor(mobile, 3)
  await server.call('user', 'updatePassword', { code, password: 'abcd1234' }, { token })
  return { mobile, token, userId }
}

const sessionsOf = (userId: string) =>
  server.database.db.selectFrom('sessions').select('id').where('user_id', '=', userId).execute()

test('a login that checked the old password gets no session once a reset has committed', async () => {
  const { mobile, userId } = await someone()
  const code = await codeFor(mobile, 4)
  afterVerify = async () => {
    const reset = await server.call('user', 'resetPassword', { mobile, code, password: 'efgh5678' })
    expect(reset.body.data).toBe(true)
  }
  const login = await server.call('user', 'login', { mobile, password: 'abcd1234' })
  expect(login.body).toMatchObject({ success: false, code: 'PWD_WRONG' })
  expect(await sessionsOf(userId)).toEqual([])
  expect((await server.call('user', 'login', { mobile, password: 'efgh5678' })).body.success).toBe(true)
})

test('a change that checked the old password does not undo a reset', async () => {
  const { mobile, userId, token } = await someone()
  const code = await codeFor(mobile, 4)
  afterVerify = async () => {
    await server.call('user', 'resetPassword', { mobile, code, password: 'efgh5678' })
  }
  const change = { oldPassword: 'abcd1234', password: 'stolen1234' }
  const answer = await server.call('user', 'updatePassword', change, { token })
  expect(answer.body).toMatchObject({ success: false, code: 'PWD_WRONG' })
  expect(await sessionsOf(userId)).toEqual([])
  expect((await server.call('user', 'login', { mobile, password: 'efgh5678' })).body.success).toBe(true)
})

test('after concurrent logins and resets no session of an old password is left', async () => {
  const { mobile, userId } = await someone()
  let password = 'abcd1234'
  for (let round = 0; round < 4; round++) {
    const code = await codeFor(mobile, 4)
    const fresh = `round${round}abc`
    const old = password
    await Promise.all([
      server.call('user', 'resetPassword', { mobile, code, password: fresh }),
      ...Array.from({ length: 4 }, () => server.call('user', 'login', { mobile, password: old })),
    ])
    expect(await sessionsOf(userId)).toEqual([])
    password = fresh
    server.clock.advance(DAY)
  }
})

describe('the desk', () => {
  const visit = (name: string, password: string) =>
    signIn(server.lifecycle.deps as never, { name, password, ip: '127.0.0.1' })
  const add = (name: string) =>
    server.database.db.transaction().execute((tx) => addStaff(tx, { name, role: 'APPRAISER' }, server.clock.now()))
  const deskSessions = (staffId: string) =>
    server.database.db.selectFrom('staff_sessions').select('staff_id').where('staff_id', '=', staffId).execute()

  test('a login that checked a one-time password gets no session once it was reset', async () => {
    const { staffId, password } = await add('race-one')
    let fresh = ''
    afterVerify = async () => {
      fresh = (await server.database.db.transaction().execute((tx) => resetPassword(tx, 'race-one'))).password
    }
    await expect(visit('race-one', password)).rejects.toMatchObject({ code: 'PWD_WRONG' })
    expect(await deskSessions(staffId)).toEqual([])
    await visit('race-one', fresh)
    expect(await deskSessions(staffId)).toHaveLength(1)
  })

  test('an account closed during the login is not signed in, even if it is reopened', async () => {
    const { staffId, password } = await add('race-two')
    const setActive = (active: boolean) =>
      server.database.db.updateTable('staff').set({ active }).where('staff_id', '=', staffId).execute()
    afterVerify = async () => void (await setActive(false))
    await expect(visit('race-two', password)).rejects.toMatchObject({ code: 'PWD_WRONG' })
    await setActive(true)
    expect(await deskSessions(staffId)).toEqual([])
  })
})
