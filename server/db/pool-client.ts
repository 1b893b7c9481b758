import type { PostgresCursor, PostgresPoolClient, PostgresQueryResult } from 'kysely'

type Run = (sql: string, parameters: readonly unknown[]) => Promise<unknown>

/** What Kysely requires of a pool's client, without the cursors that it could open. */
export function poolClient(run: Run, release: () => void): PostgresPoolClient {
  function query<R>(sql: string, parameters: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(sql: unknown, parameters: readonly unknown[] = []): unknown {
    return run(String(sql), parameters)
  }
  return { query, release }
}
