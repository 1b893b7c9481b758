/** Shared by the test files about the desk: a server with one game, members of the staff, and paid orders. */
import type { FormConfig } from '@/contract/form/types'
import type { ManualLevel } from '@/contract/labels'
import { addStaff, type DeskRole } from '../domains/staff/accounts'
import { deliver as deliverAt } from './desk-session'
import { setupServer } from './harness'
import { adult, configOf, manualRequest, paid } from './orders'

export const HOUR = 3_600_000
export const PASSWORD = 'desk-pass-2026'

interface Sent {
  cookie?: string
  origin?: string
}

export const cookieOf = (answer: { headers: Record<string, unknown> }) =>
  String(answer.headers['set-cookie']).split(';')[0] ?? ''
export const csrfIn = (body: string) => /name="csrf" value="(\w+)"/.exec(body)?.[1] ?? ''

/** A server for the tests of a file, at ten in the morning in China, within working hours; no demo appraiser. */
export function setupDesk() {
  const server = setupServer({ games: ['naraka'], env: { DEMO_APPRAISER: '0' } })
  const config = {} as FormConfig
  let numbers = 0
  /** A number that no other login or order of the file has. */
  const nextNumber = () => ++numbers
  const db = () => server.database.db
  beforeAll(async () => {
    Object.assign(config, await configOf(server, 'naraka'))
    const DAY = 24 * HOUR
    server.clock.advance(Math.ceil(server.clock.now() / DAY) * DAY + 2 * HOUR - server.clock.now())
  })

  const get = (url: string, cookie = '') => server.app.inject({ method: 'GET', url, headers: { cookie } })
  const post = (url: string, fields: Record<string, string>, { cookie = '', origin }: Sent = {}) =>
    server.app.inject({
      method: 'POST',
      url,
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded', ...(origin && { origin }) },
      payload: new URLSearchParams(fields).toString(),
    })

  /** A member of the staff who has replaced the one-time password. */
  async function atDesk(role: DeskRole, nick = '小林') {
    const name = `staff${nextNumber()}`
    const now = server.clock.now()
    const { staffId, password } = await db()
      .transaction()
      .execute((tx) => addStaff(tx, { name, role, nick, years: 4 }, now))
    const first = cookieOf(await post('/desk/login', { name, password }))
    const csrf = csrfIn((await get('/desk/password', first)).body)
    const changed = await post(
      '/desk/password',
      { csrf, old: password, password: PASSWORD, again: PASSWORD },
      { cookie: first },
    )
    expect(changed.headers.location).toBe('/desk?done=changed')
    const send = (url: string, fields: Record<string, string> = {}) => post(url, { csrf, ...fields }, { cookie: first })
    const see = (url: string) => get(url, first)
    const deliver = (url: string, fields: Record<string, string>) => deliverAt({ see, send }, url, fields)
    return { name, staffId, cookie: first, csrf, send, see, deliver }
  }

  async function paidOrder(extra: { remark?: string; nickname?: string; level?: ManualLevel } = {}) {
    // beyond the codes of a day
    await db().deleteFrom('sms_codes').execute()
    const user = await adult(server, `1370000${String(nextNumber()).padStart(4, '0')}`)
    const { nickname, ...request } = extra
    if (nickname) await db().updateTable('users').set({ nickname }).where('id', '=', user.userId).execute()
    const { body } = await server.call(
      'evaluation',
      'submitManual',
      { ...manualRequest(config), ...request },
      { token: user.token },
    )
    const { orderId } = body.data
    await server.call(
      'pay',
      'payment',
      { orderId, payType: 'ALI_WAP', consent: true, couponId: '' },
      { token: user.token },
    )
    expect((await paid(server, orderId)).statusCode).toBe(200)
    return { ...user, orderId }
  }
  const statusOf = async (id: string) =>
    (await db().selectFrom('orders').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status
  const logOf = async (orderId: string) =>
    (
      await db()
        .selectFrom('desk_log')
        .select(['action', 'staff_id', 'note', 'at'])
        .where('order_id', '=', orderId)
        .orderBy('id')
        .execute()
    ).map(({ action, staff_id, note }) => [action, staff_id, note])

  return { server, config, nextNumber, db, get, post, atDesk, paidOrder, statusOf, logOf }
}
