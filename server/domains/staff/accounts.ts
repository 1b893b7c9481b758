import { sql } from 'kysely'
import { cleanText } from '@/contract/cleanText'
import { AppError, invalid } from '../../core/app-error'
import { hashPassword } from '../../core/password-hash'
import type { Db } from '../../db/database'
import { newId, randomReadable } from '../shared/secrets'

export const deskRoles = ['APPRAISER', 'CONSULTANT', 'ADMIN'] as const
export type DeskRole = (typeof deskRoles)[number]
export const deskRoleText = {
  APPRAISER: '估价师',
  CONSULTANT: '顾问',
  ADMIN: '管理员',
} as const satisfies Record<DeskRole, string>

/** Prefix of the staff number shown to users. */
const letter = { APPRAISER: 'A', CONSULTANT: 'S', ADMIN: 'M' } as const satisfies Record<DeskRole, string>

const LOGIN_NAME = /^[a-z][a-z0-9._-]{1,29}$/
const NICK_MAX = 16

/** Normalises a login name. */
export const loginName = (text: string): string => cleanText(text).trim().toLowerCase()

/** One-time password: 80 bits, always valid by the rule below. */
const oneTimePassword = () => `${randomReadable(8)}-${randomReadable(8)}7a`

/** Why a staff password is invalid; undefined when it is valid. */
export function staffPasswordIssue(text: string): string | undefined {
  const ok = /^\S{10,64}$/.test(text) && /[A-Za-z]/.test(text) && /\d/.test(text)
  return ok ? undefined : '密码为 10-64 位，含字母和数字，不含空格'
}

export interface NewStaff {
  name: string
  role: DeskRole
  /** name shown to users on reports and cards; defaults to the login */
  nick?: string
  years?: number
}

/** Why a number of years is invalid; undefined when it is valid. */
export const yearsIssue = (years: number): string | undefined =>
  Number.isInteger(years) && years >= 0 && years <= 60 ? undefined : '从业年数为 0-60 的整数'

function checkNew({ name, nick, years = 0 }: NewStaff): void {
  if (!LOGIN_NAME.test(name))
    throw invalid([{ path: 'name', msg: '登录名为 2-30 位小写字母、数字、点或横线，以字母开头' }])
  if (nick !== undefined && Array.from(nick).length > NICK_MAX)
    throw invalid([{ path: 'nick', msg: `称呼最多 ${NICK_MAX} 个字` }])
  const msg = yearsIssue(years)
  if (msg) throw invalid([{ path: 'years', msg }])
}

/**
 * Creates a member of the staff with a password that must be changed at the first login. Call in a transaction.
 * @returns the password, shown once and stored only as a hash
 * @throws AppError VALIDATION_FAILED
 */
export async function addStaff(tx: Db, given: NewStaff, now: number): Promise<{ staffId: string; password: string }> {
  const staff = { ...given, name: loginName(given.name), nick: given.nick?.trim() || undefined }
  checkNew({ name: staff.name, role: staff.role, ...(staff.nick && { nick: staff.nick }), years: staff.years ?? 0 })
  const password = oneTimePassword()
  const password_hash = await hashPassword(password)
  // serialised, because the numbers are consecutive
  await sql`select pg_advisory_xact_lock(hashtext('staff'))`.execute(tx)
  const existing = await tx.selectFrom('staff_logins').select('name').where('name', '=', staff.name).executeTakeFirst()
  if (existing) throw invalid([{ path: 'name', msg: `登录名 ${staff.name} 已存在` }])
  const { n } = await tx
    .selectFrom('staff')
    .select(sql<number>`coalesce(max(substring(no from 2)::int), 0)`.as('n'))
    .where('no', '~', `^${letter[staff.role]}[0-9]{1,6}$`)
    .executeTakeFirstOrThrow()
  const staffId = newId()
  const no = `${letter[staff.role]}${String(n + 1).padStart(3, '0')}`
  await tx
    .insertInto('staff')
    .values({ staff_id: staffId, role: staff.role, no, nick: staff.nick ?? staff.name, years: staff.years ?? 0 })
    .execute()
  await tx
    .insertInto('staff_logins')
    .values({ staff_id: staffId, name: staff.name, password_hash, must_change: true, created_at: now })
    .execute()
  return { staffId, password }
}

const endAll = (tx: Db, staffId: string) => tx.deleteFrom('staff_sessions').where('staff_id', '=', staffId).execute()

/**
 * Sets a new one-time password for a login and ends its sessions.
 * @throws AppError NOT_FOUND
 */
export async function resetPassword(tx: Db, name: string): Promise<{ staffId: string; password: string }> {
  const password = oneTimePassword()
  const row = await tx
    .updateTable('staff_logins')
    .set({ password_hash: await hashPassword(password), must_change: true })
    .where('name', '=', loginName(name))
    .returning('staff_id')
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有这个登录名' })
  await endAll(tx, row.staff_id)
  const key = `desk:${loginName(name)}`
  await tx
    .deleteFrom('password_tries')
    .where((e) =>
      e.or([e('key', 'in', [key, `desk-own:${row.staff_id}`]), sql<boolean>`starts_with(key, ${`${key}@`})`]),
    )
    .execute()
  return { staffId: row.staff_id, password }
}

/** Games that an appraiser or consultant serves; none = all. @throws AppError NOT_FOUND */
export async function setGames(tx: Db, staffId: string, gameIds: readonly string[]): Promise<void> {
  const row = await tx
    .updateTable('staff')
    .set({ game_ids: JSON.stringify(gameIds) })
    .where('staff_id', '=', staffId)
    .returning('staff_id')
    .executeTakeFirst()
  if (!row) throw new AppError('NOT_FOUND', { msg: '没有这个账号' })
}

/** Opens or closes an account; closing ends its sessions. @returns false when nothing changed */
export async function setActive(tx: Db, staffId: string, active: boolean): Promise<boolean> {
  const changed = await tx
    .updateTable('staff')
    .set({ active })
    .where('staff_id', '=', staffId)
    .where('active', '=', !active)
    .returning('staff_id')
    .executeTakeFirst()
  if (changed && !active) await endAll(tx, staffId)
  return changed !== undefined
}

/** The sandbox's desk accounts. They cannot sign in outside the sandbox (sessions.ts). */
export const sandboxLogins = { appraiser: 'demo-appraiser', admin: 'demo-admin', password: 'sandbox-2026' } as const

/** Creates those of the sandbox's accounts that are missing. */
export async function seedSandboxLogins(db: Db, now: number): Promise<void> {
  const people = [
    { staff_id: 'sandbox-desk-appraiser', role: 'APPRAISER', no: 'AS01', nick: '沙箱估价师（值班）' },
    { staff_id: 'sandbox-desk-admin', role: 'ADMIN', no: 'MS01', nick: '沙箱管理员' },
  ] as const
  const names = [sandboxLogins.appraiser, sandboxLogins.admin]
  const existing = await db.selectFrom('staff_logins').select('name').where('name', 'in', names).execute()
  if (existing.length === names.length) return
  await db
    .insertInto('staff')
    .values(people.map((p) => ({ ...p, sandbox: true })))
    .onConflict((c) => c.doNothing())
    .execute()
  const password_hash = await hashPassword(sandboxLogins.password)
  await db
    .insertInto('staff_logins')
    .values(
      people.map(({ staff_id }, i) => ({
        staff_id,
        name: names[i] ?? staff_id,
        password_hash,
        must_change: false,
        created_at: now,
      })),
    )
    .onConflict((c) => c.doNothing())
    .execute()
}
