import { DAY_MS, MINUTE_MS } from '@/contract/time'
import { tryThrottle } from '../domains/shared/throttle'
import { countAttempt } from '../domains/users/password-attempts'
import { createRateLimits } from '../redis/rate-limits'
import { setupServer } from './harness'

const server = setupServer({})
const NOW = 1_800_000_000_000

/** Uses with room for one, counted while the clock was a day ahead, and once it is right. */
const limits: Record<string, (now: number) => Promise<boolean>> = {
  throttle: (now) => tryThrottle(server.database.db, { key: 'future', max: 1, window: MINUTE_MS, now }),
  'wrong passwords': (now) =>
    countAttempt(server.database.db, 'future', 1, now).then(
      () => true,
      () => false,
    ),
  'calls of a process': (() => {
    const own = createRateLimits(undefined)
    return (now: number) => own.take({ key: 'future', max: 1, window: MINUTE_MS, now })
  })(),
}

test.each(Object.keys(limits))('uses of %s that a wrong clock counted do not refuse later ones', async (name) => {
  const use = limits[name] ?? (() => Promise.resolve(false))
  expect([await use(NOW + DAY_MS), await use(NOW + DAY_MS)]).toEqual([true, false])
  expect([await use(NOW), await use(NOW)]).toEqual([true, false])
})

test.each(['throttle', 'wrong passwords'])(
  'clocks of processes that differ by seconds share the uses of %s',
  async (name) => {
    const use = limits[name] ?? (() => Promise.resolve(true))
    const at = NOW + 30 * DAY_MS
    expect([await use(at + 5000), await use(at)]).toEqual([true, false])
  },
)

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
