import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { StartError } from '../core/start-error'
import { isWorthWaiting } from './errors'
import { type Migrations, type Schema, schemaOf } from './migrate'
import type { DB } from './tables'
import type { RetryOptions } from './wait'

/** ms between checks whether the database has been migrated */
const POLL_INTERVAL_MS = 1000
/** ms between log lines */
const LOG_INTERVAL_MS = 30_000

const list = (names: readonly string[]) => `${names.slice(0, 3).join('、')}${names.length > 3 ? ' 等' : ''}`

/**
 * Waits until the database has every migration of this release. Unknown ones belong to a newer release, are compatible
 * with this one (expand and contract), and are only logged.
 * @throws StartError naming the command when the time limit is reached
 */
export async function waitForSchema(
  db: Kysely<DB>,
  { within, print, signal, migrations }: RetryOptions & { migrations?: Migrations | undefined },
): Promise<void> {
  const started = Date.now()
  let saidAt = Number.NEGATIVE_INFINITY
  for (;;) {
    const schema = await look(db, migrations, within)
    if (schema?.pending.length === 0) {
      if (schema.unknown.length > 0)
        print?.(`⚠ 数据库结构比本程序新 ${schema.unknown.length} 步（${list(schema.unknown)}），继续以兼容方式运行。`)
      return
    }
    if (schema && Date.now() - started >= within)
      throw new StartError(
        `数据库结构不是最新，缺少 ${schema.pending.length} 步（${list(schema.pending)}）：请先执行 npm run migrate。`,
      )
    if (schema && Date.now() - saidAt >= LOG_INTERVAL_MS) {
      saidAt = Date.now()
      print?.(`⚠ 数据库结构缺少 ${schema.pending.length} 步（${list(schema.pending)}）：等待执行 npm run migrate。`)
    }
    await delay(POLL_INTERVAL_MS, undefined, { signal })
  }
}

/** undefined: the database became unavailable during the wait */
async function look(db: Kysely<DB>, migrations: Migrations | undefined, within: number): Promise<Schema | undefined> {
  try {
    return await schemaOf(db, migrations)
  } catch (e) {
    if (within === 0 || !isWorthWaiting(e)) throw e
    return undefined
  }
}
