import { type Compilable, type CompiledQuery, type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from './database'
import { allowPreparing } from './statements'
import type { DB } from './tables'

/** Stands for a parameter while a query is compiled. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query that is built and compiled to SQL once, for the most frequent reads: building one again costs more than the
 * rest of a request.
 * @param build builds it; its parameters are placeholders for values, so it must not compute with them
 * @returns runs it with the values
 */
export function precompiledQuery<P extends object, R>(
  build: (db: Kysely<DB>, parameters: P) => Compilable<R>,
): (db: Db, parameters: P) => Promise<R[]> {
  const placeholders = new Proxy({} as P, { get: (_, name) => new Placeholder(String(name)) })
  return compileOnce((db) => build(db, placeholders).compile())
}

function compileOnce<P extends object, R>(compile: (db: Kysely<DB>) => CompiledQuery<R>) {
  let compiled: CompiledQuery<R> | undefined
  return async (db: Db, parameters: P): Promise<R[]> => {
    if (!compiled) {
      compiled = compile(db as Kysely<DB>)
      allowPreparing(compiled.sql)
    }
    const values = compiled.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name as keyof P] : value,
    )
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters: values })
    return rows
  }
}

/** How a session is found, beside the parameters of the read. */
export interface SessionKey {
  /** SHA-256 of the token */
  tokenHash: string
  /** ms */
  now: number
}

/** The session in each row of a read. `isFound`: the row was read too; null: there is a session but nothing to read. */
export interface SessionColumns {
  sessionId: string
  sessionUserId: string
  sessionSeenAt: number
  isFound: true | null
}

/** A read of the caller's own rows that finds the session itself. */
export type SessionQuery<P extends object, R> = (db: Db, parameters: P & SessionKey) => Promise<(R & SessionColumns)[]>

/**
 * The same for a read of the caller's own rows, with the session of the token found in the same statement: a second one
 * costs a third of the call. Without a valid session there are no rows.
 * @param build as in `precompiledQuery`; `userId` is the placeholder for the session's user
 */
export function sessionQuery<P extends { userId: string }, R>(
  build: (db: Kysely<DB>, parameters: P) => SelectQueryBuilder<DB, never, R>,
): SessionQuery<Omit<P, 'userId'>, R> {
  const user = sql`(select "sessionUserId" from own_session)`
  const placeholders = new Proxy({} as P, {
    get: (_, name) => (name === 'userId' ? user : new Placeholder(String(name))),
  })
  const [hash, now] = [new Placeholder('tokenHash'), new Placeholder('now')]
  return compileOnce((db) =>
    sql<R & SessionColumns>`
      with own_session as materialized (
        select id as "sessionId", user_id as "sessionUserId", seen_at as "sessionSeenAt" from sessions
        where token_hash = ${hash} and expires_at > ${now}::bigint)
      select own_session.*, own.* from own_session
      left join (select own.*, true as "isFound" from ${build(db, placeholders)} as own) as own on true`.compile(db),
  )
}
