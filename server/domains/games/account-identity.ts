import type { Selectable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { ReportsTable } from '../../db/tables'
import { newId } from '../shared/secrets'

/** Share of equal answers from which two submissions are one account that has changed a little. */
const SAME_SHARE = 0.6
/** What says nothing about which account it is. */
const SILENT = ['none', 'evidence', 'weak', 'lookup']

/** An answer as text, whatever order the database gives its keys. */
const textOf = (answer: unknown): string | undefined =>
  JSON.stringify(answer, (_, part) =>
    part !== null && typeof part === 'object' && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )

/** Whether two sets of answers are about one account: by its public id where both name it, else by what they share. */
export function sameAccount({ fields }: FormConfig, a: Answers, b: Answers): boolean {
  const id = fields.find((field) => field.role === 'lookup')?.key
  if (id !== undefined && a[id] !== undefined && b[id] !== undefined) return a[id] === b[id]
  const told = fields.filter(({ key, role }) => !SILENT.includes(role) && (a[key] ?? b[key]) !== undefined)
  const equal = told.filter(({ key }) => textOf(a[key]) === textOf(b[key]))
  return told.length > 0 && equal.length / told.length >= SAME_SHARE
}

export interface Account {
  accountId: string
  /** the newest computed report of the account, absent when there is none yet */
  latest?: Selectable<ReportsTable> | undefined
}

/** Reports of one user and game that are looked through for the account. */
const MAX_LOOKED_AT = 100

/** The user's account that these answers describe; a new id when no report of theirs is about it. */
export async function accountOf(db: Db, userId: string, config: FormConfig, answers: Answers): Promise<Account> {
  const own = db.selectFrom('reports').where('user_id', '=', userId).where('game_id', '=', config.gameId)
  const rows = await own.select(['account_id', 'inputs']).orderBy('created_at', 'desc').limit(MAX_LOOKED_AT).execute()
  const accountId = rows.find((row) => sameAccount(config, row.inputs.answers, answers))?.account_id
  if (accountId === undefined) return { accountId: newId() }
  const computed = own.selectAll().where('account_id', '=', accountId).where('model_id', 'is not', null)
  return { accountId, latest: await computed.orderBy('created_at', 'desc').limit(1).executeTakeFirst() }
}
