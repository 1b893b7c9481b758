import { type Kysely, Migrator } from 'kysely'
import { reasonOf, StartError } from '../start-error'
import { migrations } from './migrations'
import type { Tables } from './tables'

/**
 * Brings the tables up to date. Two processes may do this at once on one PostgreSQL: Kysely's migrator takes an
 * advisory lock and runs all steps in one transaction.
 * Steps of different rooms are numbered in ranges, so a later one may have a smaller number.
 * @throws StartError when the database is of a newer version or a step fails (nothing of it is kept)
 */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    allowUnorderedMigrations: true,
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw new StartError(`数据库结构升级失败，未做任何改动：${reasonOf(error)}。`)
}
