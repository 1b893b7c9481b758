/** Generates the types of the database's tables (server/db/tables.ts). */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { generate, PostgresDialect } from 'kysely-codegen'
import { openDatabase } from '../db/database'
import { root } from './temp'

/** Where the generated types are kept. */
export const tableTypesFile = path.join(root, 'server/db/tables.ts')

/** Names `table.column` of the columns typed by hand. */
const typedColumns = (): string[] =>
  [...readFileSync(path.join(root, 'server/db/columns.ts'), 'utf8').matchAll(/^ {2}'(\w+\.\w+)':/gm)].map(
    ([, name]) => name as string,
  )

/**
 * TypeScript for every table of this release.
 * @param databaseUrl of an empty PostgreSQL, which gets all migrations
 */
export async function tableTypes(databaseUrl: string): Promise<string> {
  const { db, close } = await openDatabase({ dataDir: '', databaseUrl })
  try {
    const types = await generate({
      db,
      dialect: new PostgresDialect(),
      defaultSchemas: ['public'],
      includePattern: 'public.*',
      excludePattern: 'public.schema_migrations',
      customImports: { Columns: './columns' },
      overrides: { columns: Object.fromEntries(typedColumns().map((name) => [name, `Columns['${name}']`])) },
      // our connections read bigint as a number: times and amounts fit
      typeMapping: { int8: 'number' },
    })
    return types.replace(/\/\*\*\n +\* (.*)\n +\*\//g, '/** $1 */')
  } finally {
    await close()
  }
}
