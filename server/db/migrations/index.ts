import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { queueMigration } from '../queue'
import { type Migration, migration } from './migration'

/** Text of the file without its comments, which may contain semicolons, as single statements. */
const statementsOf = (file: string): string[] =>
  readFileSync(path.join(__dirname, file), 'utf8')
    .replace(/^\s*--.*$/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter(Boolean)

/**
 * All migrations: the SQL files of this folder in the order of their names, and the one of the job queue, which its
 * package brings. One that has shipped is never edited: add the next one, as expand and contract (CONTRIBUTING.md,
 * "Change the database"); a version of the package with further ones needs another entry.
 */
export const migrations: Readonly<Record<string, Migration>> = Object.fromEntries(
  readdirSync(__dirname)
    .filter((file) => file.endsWith('.sql'))
    .map((file): [string, Migration] => [path.basename(file, '.sql'), migration(...statementsOf(file))])
    .concat([['202611281401-job-queue', queueMigration]])
    .sort(([a], [b]) => (a < b ? -1 : 1)),
)
