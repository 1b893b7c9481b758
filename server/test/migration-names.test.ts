import { readdirSync } from 'node:fs'
import path from 'node:path'
import { migrations } from '../db/migrations'
import { root } from './temp'

/** The last migration with a number. Databases record migrations by name, so earlier ones are never renamed. */
const LAST_NUMBERED = '127-embeds-ended'

const names = Object.keys(migrations)
const at = names.indexOf(LAST_NUMBERED) + 1

// numbers collide when two branches add a migration; the second merge then needs a new number in files, names and code
test('migrations after the numbered ones are named by the minute, each later than the one before', () => {
  expect(names.slice(0, at)).toHaveLength(45)
  const added = names.slice(at)
  expect(added.filter((name) => !/^20\d{10}-[a-z]+(-[a-z]+)*$/.test(name))).toEqual([])
  expect(added).toEqual([...added].sort())
})

test('every file of the folder but its two modules is a migration', () => {
  const files = readdirSync(path.join(root, 'server/db/migrations'))
  expect(files.filter((file) => !names.includes(path.basename(file, '.sql'))).sort()).toEqual([
    'index.ts',
    'migration.ts',
  ])
})
