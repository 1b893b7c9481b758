import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './temp'

/** Files with concurrent requests that do not compete for rows of the database. */
const WITHOUT_RACES = [
  'account-deletion.test.ts',
  'pages.test.ts',
  'partner-add.test.ts',
  'picture.test.ts',
  'refusals.test.ts',
  'uploads.test.ts',
  'verify.test.ts',
]

const files = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
  // the deep tier runs all of its files on PostgreSQL
  .filter(
    (name) => name.endsWith('.test.ts') && !name.endsWith('.deep.test.ts') && name !== 'test/postgres-group.test.ts',
  )
  .map((name) => ({ name, text: readFileSync(path.join(root, 'server', name), 'utf8') }))

// a race cannot occur on the embedded database, which has one connection
test('every file with races on rows runs on PostgreSQL in npm test', () => {
  const racing = files.filter(
    ({ text }) => /(createTestDatabase|setupServer)\(/.test(text) && /Promise\.all(Settled)?\(/.test(text),
  )
  const missing = racing.filter(
    ({ name, text }) => !text.startsWith('/** @group postgres */\n') && !WITHOUT_RACES.includes(path.basename(name)),
  )
  expect(missing.map(({ name }) => name)).toEqual([])
  expect(racing.length).toBeGreaterThan(15)
})
