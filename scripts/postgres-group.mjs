import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './lib.mjs'

const MARK = '/** @group postgres */'

/**
 * Server test files that depend on the database itself (races, locks, kills) start with that line: `npm test` also runs
 * them on PostgreSQL. Files of the deep tier are excluded.
 */
export const postgresGroup = () =>
  readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts') && !name.endsWith('.deep.test.ts'))
    .map((name) => path.join(root, 'server', name))
    .filter((file) => readFileSync(file, 'utf8').startsWith(MARK))
