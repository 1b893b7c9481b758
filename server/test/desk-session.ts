/** Signed-in members of the staff, and what they do at the desk. */
import type { LightMyRequestResponse } from 'fastify'
import { addStaff, type DeskRole } from '../domains/staff/accounts'
import { signIn } from '../domains/staff/sessions'
import { commentOf, deliveryFields } from './appraisal'
import type { TestServer } from './harness'

interface StaffMember {
  /** of the login, unique */
  name: string
  role: DeskRole
  nick?: string
  years?: number
}

/** `see` gets a page; `send` posts a form with the session's CSRF token. */
export interface DeskSession {
  staffId: string
  cookie: string
  see(url: string): Promise<LightMyRequestResponse>
  send(url: string, fields?: Record<string, string>): Promise<LightMyRequestResponse>
}

/** Adds a member of the staff who has replaced the one-time password, and signs them in. */
export async function atDesk({ app, lifecycle }: TestServer, member: StaffMember): Promise<DeskSession> {
  const { deps } = lifecycle
  if (!deps) throw new Error('not started')
  const { staffId, password } = await deps.db.transaction().execute(async (tx) => {
    const added = await addStaff(tx, member, deps.clock.now())
    await tx.updateTable('staff_logins').set({ must_change: false }).where('staff_id', '=', added.staffId).execute()
    return added
  })
  const cookie = `desk=${await signIn(deps, { name: member.name, password, ip: '10.0.0.1' })}`
  const see = (url: string) => app.inject({ url, headers: { cookie } })
  const csrf = /name="csrf" value="(\w+)"/.exec((await see('/desk/password')).body)?.[1] ?? ''
  const send = (url: string, fields: Record<string, string> = {}) =>
    app.inject({
      ...{ method: 'POST', url, payload: new URLSearchParams({ csrf, ...fields }).toString() },
      headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
    })
  return { staffId, cookie, see, send }
}

/**
 * Commits a blind estimate if the order's page asks for one, then delivers the whole form with these values, a price far from the estimate too.
 * @param url of the order's page @param fields `price` in yuan, `comment` the beginning of one (`commentOf`), and others
 * that replace those of `deliveryFields`
 */
export async function deliver(
  { see, send }: Pick<DeskSession, 'see' | 'send'>,
  url: string,
  fields: Record<string, string>,
): Promise<LightMyRequestResponse> {
  const { price = '' } = fields
  if ((await see(url)).body.includes(`${url}/first`)) await send(`${url}/first`, { first: price })
  const whole = {
    ...{ ...deliveryFields((await see(url)).body, Number(price.replaceAll(',', ''))), ...fields },
    ...(fields.comment !== undefined && { comment: commentOf(fields.comment) }),
  }
  return send(`${url}/deliver`, { ...whole, sure: price })
}
