import type { Selectable } from 'kysely'
import type { Answers, FormConfig } from '@/contract/form/types'
import type { Db } from '../../db/database'
import type { Reports } from '../../db/tables'
import { newId } from '../shared/secrets'

/** Share of the questions that both sets must answer to be compared at all: an unanswered one says nothing. */
const COMMON_SHARE = 0.5
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

/** Whether the public ids are equal; undefined unless both have one. */
function sameId({ fields }: FormConfig, a: Answers, b: Answers): boolean | undefined {
  const id = fields.find((field) => field.role === 'lookup')?.key
  return id === undefined || a[id] === undefined || b[id] === undefined ? undefined : a[id] === b[id]
}

/** Whether at least `SAME_SHARE` of the answers to these fields are equal. */
function isSimilar({ fields }: FormConfig, a: Answers, b: Answers, isCompared: (key: string) => boolean): boolean {
  const compared = fields.filter(({ key, role }) => !NON_IDENTIFYING_ROLES.includes(role) && isCompared(key))
  const equal = compared.filter(({ key }) => textOf(a[key]) === textOf(b[key]))
  return compared.length > 0 && equal.length / compared.length >= SAME_SHARE
}

/** Whether the answers differ in what nobody can change about an account, such as its server. */
function differsInFixed({ fields }: FormConfig, a: Answers, b: Answers): boolean {
  return fields.some(
    ({ key, role, changeable }) =>
      role === 'factor' && !changeable && a[key] !== undefined && b[key] !== undefined && a[key] !== b[key],
  )
}

/**
 * Whether two sets of answers describe the same account: by public id if both have one, else by similarity. An account on
 * another server is another one, however alike: their prices are no rise or fall.
 */
export function sameAccount(config: FormConfig, a: Answers, b: Answers): boolean {
  const isCommon = (key: string) => a[key] !== undefined && b[key] !== undefined
  const asked = config.fields.filter(
    ({ key, role }) => !NON_IDENTIFYING_ROLES.includes(role) && (a[key] ?? b[key]) !== undefined,
  )
  const overlaps = asked.filter(({ key }) => isCommon(key)).length >= COMMON_SHARE * asked.length
  return sameId(config, a, b) ?? (overlaps && !differsInFixed(config, a, b) && isSimilar(config, a, b, isCommon))
}

/**
 * Whether `now` is the account that was valued as `before`, corrected or completed. An equal public id is not enough
 * where something was paid for one account: it is typed, so any account can be given it.
 */
export function keepsAccount(config: FormConfig, before: Answers, now: Answers): boolean {
  return sameId(config, before, now) !== false && isSimilar(config, before, now, (key) => before[key] !== undefined)
}

export interface Account {
  accountId: string
  /** answers of its earlier reports */
  earlier: Answers[]
  /** the newest computed report of the account, if any */
  latest?: Selectable<Reports> | undefined
}

/** Reports per user and game that are compared. */
const MAX_LOOKED_AT = 100

/** The user's account that matches the answers; a new id when no earlier report does. */
export async function accountOf(db: Db, userId: string, config: FormConfig, answers: Answers): Promise<Account> {
  const own = db.selectFrom('reports').where('user_id', '=', userId).where('game_id', '=', config.gameId)
  const rows = await own.select(['account_id', 'inputs']).orderBy('created_at', 'desc').limit(MAX_LOOKED_AT).execute()
  const accountId = rows.find((row) => sameAccount(config, row.inputs.answers, answers))?.account_id
  if (accountId === undefined) return { accountId: newId(), earlier: [] }
  const computed = own.selectAll().where('account_id', '=', accountId).where('model_id', 'is not', null)
  const earlier = rows.filter((row) => row.account_id === accountId).map((row) => row.inputs.answers)
  return { accountId, earlier, latest: await computed.orderBy('created_at', 'desc').limit(1).executeTakeFirst() }
}
