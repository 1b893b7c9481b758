import type { Kysely } from 'kysely'
import { type Migrations, schemaOf } from './migrate'
import type { DB } from './tables'
import { NotYet, type RetryOptions, whenAvailable } from './wait'

const list = (names: readonly string[]) => `${names.slice(0, 3).join('、')}${names.length > 3 ? ' 等' : ''}`

/**
 * Waits until the database has every migration of this release. Unknown ones belong to a newer release, are compatible
 * with this one (expand and contract), and are only logged.
 * @throws StartError naming the command when the time limit is reached
 */
export const waitForSchema = (db: Kysely<DB>, patience: RetryOptions, migrations: Migrations | undefined) =>
  whenAvailable(async () => {
    const { pending, unknown } = await schemaOf(db, migrations)
    if (pending.length > 0)
      throw new NotYet(`数据库结构不是最新，缺少 ${pending.length} 步（${list(pending)}）：请先执行 npm run migrate。`)
    if (unknown.length > 0)
      patience.print?.(`⚠ 数据库结构比本程序新 ${unknown.length} 步（${list(unknown)}），继续以兼容方式运行。`)
  }, patience)
