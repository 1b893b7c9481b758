import type { Compilable, CompiledQuery, Kysely } from 'kysely'
import type { Db } from './database'
import { allowPreparing } from './statements'
import type { Tables } from './tables'

/** Stands for a parameter while a query is compiled. */
class Placeholder {
  constructor(readonly name: string) {}
}

/**
 * A query that is built and compiled to SQL once, for the most frequent reads: building one anew costs more than the
 * rest of a request.
 * @param build builds it; the parameters it is given only stand for values, so it must not compute with them
 * @returns runs it with the values
 */
export function compiledQuery<P extends object, R>(
  build: (db: Kysely<Tables>, parameters: P) => Compilable<R>,
): (db: Db, parameters: P) => Promise<R[]> {
  let compiled: CompiledQuery<R> | undefined
  const placeholders = new Proxy({} as P, { get: (_, name) => new Placeholder(String(name)) })
  return async (db, parameters) => {
    if (!compiled) {
      compiled = build(db as Kysely<Tables>, placeholders).compile()
      allowPreparing(compiled.sql)
    }
    const values = compiled.parameters.map((value) =>
      value instanceof Placeholder ? parameters[value.name as keyof P] : value,
    )
    const { rows } = await db.executeQuery<R>({ ...compiled, parameters: values })
    return rows
  }
}
