import { DAY_MS } from '@/contract/time'
import { createLimits } from '../core/limits'
import { countAttempt } from '../domains/accounts/login/password-attempts'
import { setupServer } from './harness'

const server = setupServer({})
const NOW = 1_800_000_000_000

/** Uses counted while the clock was a day ahead, and once it is right; of one limit there is room for one. */
const limits: Record<string, (now: number) => Promise<boolean>> = {
  'the database': async (now) => {
    const { db } = server.database
    const own = createLimits({ db, now: () => now, rateLimit: () => 1, redis: undefined })
    // three a day
    return own.take('dataExport', 'future', 3)
  },
  'wrong passwords': (now) =>
    countAttempt(server.database.db, 'future', 1, now).then(
      () => true,
      () => false,
    ),
}

test.each(Object.keys(limits))('uses of %s that a wrong clock counted do not refuse later ones', async (name) => {
  const use = limits[name] ?? (() => Promise.resolve(false))
  expect([await use(NOW + DAY_MS), await use(NOW + DAY_MS)]).toEqual([true, false])
  expect([await use(NOW), await use(NOW)]).toEqual([true, false])
})

test('uses that a process has counted end with their window, however the machine’s clock is set', async () => {
  jest.useFakeTimers({ now: NOW })
  try {
    const own = createLimits({ db: server.database.db, now: () => NOW, rateLimit: () => 1, redis: undefined })
    const use = () => own.take('calls', 'future')
    expect([await use(), await use()]).toEqual([true, false])
    jest.setSystemTime(NOW - DAY_MS)
    expect(await use()).toBe(false)
    await jest.advanceTimersByTimeAsync(60_000)
    expect(await use()).toBe(true)
  } finally {
    jest.useRealTimers()
  }
})

test.each(Object.keys(limits))('clocks of processes that differ by seconds share the uses of %s', async (name) => {
  const use = limits[name] ?? (() => Promise.resolve(true))
  const at = NOW + 30 * DAY_MS
  expect([await use(at + 5000), await use(at)]).toEqual([true, false])
})

test('codes that a wrong clock has sent do not refuse one now, which is the one to enter', async () => {
  const mobile = '13800138999'
  const send = () => server.call('user', 'sendSmsCode', { mobile, scene: 1 })
  expect((await send()).body.success).toBe(true)
  expect((await send()).body.code).toBe('SMS_TOO_FAST')
  const { db } = server.database
  await db
    .updateTable('sms_codes')
    .set({ sent_at: server.clock.now() + DAY_MS })
    .where('mobile', '=', mobile)
    .execute()
  expect((await send()).body.success).toBe(true)
  const code = server.sms.newestCode(mobile) ?? ''
  expect((await server.call('user', 'smsLogin', { mobile, code })).body.success).toBe(true)
})
