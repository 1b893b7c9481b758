import type { Selectable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { ReportsTable } from '../../db/tables'
import { newId } from '../shared/secrets'

/** Share of equal answers from which two submissions count as the same, slightly changed account. */
const SAME_SHARE = 0.6
/** Roles that do not identify an account. */
const NON_IDENTIFYING_ROLES = ['none', 'evidence', 'weak', 'lookup']

/** An answer as text, independent of the database's key order. */
const textOf = (answer: unknown): string | undefined =>
  JSON.stringify(answer, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** Whether two sets of answers describe the same account: by public id if both have one, else by similarity. */
export function sameAccount({ fields }: FormConfig, a: Answers, b: Answers): boolean {
  const id = fields.find((field) => field.role === 'lookup')?.key
  if (id !== undefined && a[id] !== undefined && b[id] !== undefined) return a[id] === b[id]
  const given = fields.filter(
    ({ key, role }) => !NON_IDENTIFYING_ROLES.includes(role) && (a[key] ?? b[key]) !== undefined,
  )
  const equal = given.filter(({ key }) => textOf(a[key]) === textOf(b[key]))
  return given.length > 0 && equal.length / given.length >= SAME_SHARE
}

export interface Account {
  accountId: string
  /** the newest computed report of the account, if any */
  latest?: Selectable<ReportsTable> | undefined
}

/** Reports per user and game that are compared. */
const MAX_LOOKED_AT = 100

/** The user's account that matches the answers; a new id when no earlier report does. */
export async function accountOf(db: Db, userId: string, config: FormConfig, answers: Answers): Promise<Account> {
  const own = db.selectFrom('reports').where('user_id', '=', userId).where('game_id', '=', config.gameId)
  const rows = await own.select(['account_id', 'inputs']).orderBy('created_at', 'desc').limit(MAX_LOOKED_AT).execute()
  const accountId = rows.find((row) => sameAccount(config, row.inputs.answers, answers))?.account_id
  if (accountId === undefined) return { accountId: newId() }
  const computed = own.selectAll().where('account_id', '=', accountId).where('model_id', 'is not', null)
  return { accountId, latest: await computed.orderBy('created_at', 'desc').limit(1).executeTakeFirst() }
}
