import type { Migration } from 'kysely'
import { foundation } from './001-foundation'
import { realName } from './050-real-name'

/**
 * The database's history. A step that has shipped is never edited: add the next one. Times are milliseconds, money is fen.
 */
export const migrations: Record<string, Migration> = {
  '001-foundation': foundation,
  '050-real-name': realName,
}
