/** Shared by the tests of what admins do at the desk: a server with one game, staff, users and the log of their actions. */
import type { FormConfig } from '@/contract/form/types'
import type { DeskRole } from '../domains/staff/accounts'
import { atDesk } from './desk-session'
import { setupServer, someAnswers } from './harness'
import { adult, configOf } from './orders'

export const DAY = 86_400_000

/** The error that a page of the desk shows. */
export const alertIn = (body: string) => /role="alert"[^>]*>([^<]*)/.exec(body)?.[1] ?? ''

export function setupAdmin() {
  const server = setupServer({ games: ['naraka'], env: { DEMO_APPRAISER: '0' } })
  const config = {} as FormConfig
  beforeAll(async () => {
    Object.assign(config, await configOf(server, 'naraka'))
  })
  const db = () => server.database.db
  const runJobs = () => server.lifecycle.jobRunner?.runAll()
  let numbers = 0
  async function staff(role: DeskRole = 'ADMIN') {
    const session = await atDesk(server, { name: `admin${++numbers}`, role })
    /** the id contained in a form of a page */
    const formId = async (url: string) => /name="id" value="(\w{20})"/.exec((await session.see(url)).body)?.[1] ?? ''
    /** Sends twice at once, as a double tap does. */
    const sendTwice = (url: string, fields: Record<string, string> = {}) =>
      Promise.all([session.send(url, fields), session.send(url, fields)])
    return { ...session, formId, sendTwice }
  }
  async function newUser() {
    const mobile = `1350000${String(++numbers).padStart(4, '0')}`
    return { ...(await adult(server, mobile)), mobile }
  }
  /** A new user's AI report. */
  async function valued() {
    const user = await newUser()
    const { gameId, schemaVersion } = config
    const req = { gameId, schemaVersion, answers: someAnswers(config, numbers), source: 'TYPED' as const }
    const { orderId } = (await server.call('evaluation', 'submitAi', req, { token: user.token })).body.data
    const { predictFen } = (await server.call('sale', 'followUp', { orderId }, { token: user.token })).body.data
    return { ...user, orderId, predictFen }
  }
  const logOf = async (staffId: string) =>
    (await db().selectFrom('desk_log').selectAll().where('staff_id', '=', staffId).orderBy('id').execute()).flatMap(
      ({ action, subject, note }) => (['LOGIN', 'PASSWORD'].includes(action) ? [] : [[action, subject, note]]),
    )
  const inbox = async ({ token }: { token: string }) =>
    (await server.call('user', 'messages', {}, { token })).body.data.list
  const dayIn = (days: number) => new Date(server.clock.now() + 8 * 3_600_000 + days * DAY).toISOString().slice(0, 10)
  return { server, config, db, runJobs, staff, newUser, valued, logOf, inbox, dayIn }
}
