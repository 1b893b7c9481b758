/** Migrations (server/db/migrate.ts): locks, concurrent processes, interruptions. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { openDatabase } from '../db/database'
import { schemaOf } from '../db/migrate'
import { migrations as released } from '../db/migrations'
import { migration } from '../db/migrations/migration'
import { emptyFolder } from './harness'
import { createDatabase } from './postgres'
import { prepared } from './prepared'
import { tableTypes, tableTypesFile } from './table-types'

let url: string
let operator: pg.Client

let n = 0
beforeEach(async () => {
  n += 1
  url = await createDatabase(prepared().postgres ?? '', `migrate_${process.pid}_${n}`)
  operator = new pg.Client({ connectionString: url })
  await operator.connect()
})
afterEach(() => operator.end())

const open = (migrations: typeof released, said: string[] = []) =>
  openDatabase(
    { dataDir: '', databaseUrl: url },
    { migrations, patience: { within: 5000, print: (line) => said.push(line) } },
  )
const notes = migration('create table notes (word text, at bigint)')
const hasColumn = async (name: string) =>
  (await operator.query('select 1 from information_schema.columns where column_name = $1', [name])).rowCount === 1

test('concurrent processes apply every migration once', async () => {
  const said: string[] = []
  const opened = await Promise.all([1, 2, 3].map(() => open(released, said)))
  for (const { db } of opened) expect(await schemaOf(db)).toEqual({ pending: [], unknown: [] })
  expect(said.filter((line) => line.startsWith('▸ 数据库结构：'))).toHaveLength(Object.keys(released).length)
  await Promise.all(opened.map(({ close }) => close()))
})

test('the types of the tables are those of the migrated database (npm run db:types)', async () => {
  expect(readFileSync(tableTypesFile, 'utf8')).toBe(await tableTypes(url))
})

test('a failing migration is rolled back and named; earlier ones stay, and the next run continues with it', async () => {
  const failing = {
    a: notes,
    b: migration('alter table notes add column b text', 'select 1 / 0'),
    c: migration('select 1'),
  }
  await expect(open(failing)).rejects.toThrow(/步骤 b 没有完成（division by zero）/)
  expect(await hasColumn('word')).toBe(true)
  expect(await hasColumn('b')).toBe(false)
  const { db, close } = await open({ ...failing, b: migration('alter table notes add column b text') })
  expect(await hasColumn('b')).toBe(true)
  expect((await schemaOf(db, failing)).pending).toEqual([])
  await close()
})

test('a migration waits two seconds for a table in use, then releases its place in the queue and tries again', async () => {
  await (await open({ a: notes })).close()
  await operator.query('begin')
  await operator.query('select * from notes')
  const said: string[] = []
  let lockedOut: (() => void) | undefined
  const waited = new Promise<void>((resolve) => {
    lockedOut = resolve
  })
  const reader = new pg.Client({ connectionString: url })
  await reader.connect()
  const migrating = openDatabase(
    { dataDir: '', databaseUrl: url },
    {
      migrations: { a: notes, b: migration('alter table notes add column b text') },
      patience: {
        within: 60_000,
        print(line) {
          said.push(line)
          if (line.includes('lock timeout')) lockedOut?.()
        },
      },
    },
  )
  await waited
  // the lock queue of the table is empty between two attempts; an attempt that kept its place would block this for good
  await reader.query("set statement_timeout = '60s'")
  await reader.query('select * from notes')
  await operator.query('commit')
  await (await migrating).close()
  expect(await hasColumn('b')).toBe(true)
  expect(said.join()).toMatch(/⚠ 数据库还无法使用.+lock timeout/)
  await reader.end()
})

const index = migration(
  'drop index concurrently if exists notes_word',
  'create index concurrently notes_word on notes (word)',
)

test('an index is built while the table is written, and rebuilt if an interrupted build left it invalid', async () => {
  await (await open({ a: notes })).close()
  await operator.query("insert into notes values ('same', 1), ('same', 2)")
  // as left by an interrupted build
  await expect(operator.query('create unique index concurrently notes_word on notes (word)')).rejects.toThrow()
  const valid = async () =>
    (await operator.query("select indisvalid from pg_index where indexrelid = to_regclass('notes_word')")).rows[0]
      ?.indisvalid
  expect(await valid()).toBe(false)
  const { close } = await open({ a: notes, b: index })
  await close()
  expect(await valid()).toBe(true)
})

test('the same migrations run on the embedded database', async () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'valuation-migrate-'))
  cpSync(await emptyFolder(), dataDir, { recursive: true })
  const migrations = { ...released, '998': notes, '999': index }
  const { db, close } = await openDatabase({ dataDir, databaseUrl: undefined }, { migrations })
  expect(await schemaOf(db, migrations)).toEqual({ pending: [], unknown: [] })
  // and this release runs on it, as after a rollback to it
  expect(await schemaOf(db)).toEqual({ pending: [], unknown: ['998', '999'] })
  await close()
  rmSync(dataDir, { recursive: true, force: true })
})

test('a process that requires the current schema reports a missing migration with the command', async () => {
  const opening = openDatabase({ dataDir: '', databaseUrl: url }, { schema: 'wait', patience: { within: 0 } })
  await expect(opening).rejects.toThrow(
    /缺少 2 步（202611281400-initial、202611281401-job-queue）：请先执行 npm run migrate。/,
  )
  expect(await hasColumn('mobile')).toBe(false)
})
