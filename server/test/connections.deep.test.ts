/** @group long */
/** Connections to PostgreSQL that break, stall or wait too long (server/db/postgres.ts). */
import { type Kysely, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { AppError } from '../core/app-error'
import { StartError } from '../core/start-error'
import { type Database, openDatabase } from '../db/database'
import { isConnectionLost, isDatabaseAway } from '../db/errors'
import type { DB } from '../db/tables'
import { type Cluster, startCluster } from './postgres'

/** Short limits, in the order of the real ones. */
const limits = { size: 3, statementTimeout: 600, lockTimeout: 200 }

let cluster: Cluster
let url: string
let database: Database
let operator: pg.Client
const broken: string[] = []

beforeAll(async () => {
  cluster = await startCluster()
  url = await cluster.createDatabase('connections')
})
afterAll(() => cluster.stop())

beforeEach(async () => {
  operator = new pg.Client({ connectionString: url })
  operator.on('error', () => undefined)
  await operator.connect()
  database = await openDatabase({ dataDir: '', databaseUrl: url }, { limits, onError: (e) => broken.push(e.message) })
  await operator.query('create table if not exists notes (word text)')
  await operator.query('truncate notes')
  broken.length = 0
})
afterEach(async () => {
  await database.close()
  await operator.end()
})

const pidOf = async (db: Kysely<DB> | Transaction<DB>) =>
  (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]?.pid ?? 0
const note = (db: Kysely<DB> | Transaction<DB>, word: string) => sql`insert into notes values (${word})`.execute(db)
const notes = async () => (await operator.query('select word from notes order by word')).rows.map((row) => row.word)
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (e: { code?: string; message: string }) => e.code ?? e.message,
  )
const gone = async (pid: number) => {
  while ((await operator.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount);
}

test('a connection lost during a transaction ends neither the process nor later work', async () => {
  const work = database.db.transaction().execute(async (tx) => {
    await note(tx, 'half')
    const pid = await pidOf(tx)
    await operator.query('select pg_terminate_backend($1)', [pid])
    await gone(pid)
    await note(tx, 'other half')
  })
  const error = await work.catch((e) => e)
  expect(isConnectionLost(error)).toBe(true)
  expect(broken.length).toBeGreaterThan(0)
  await database.db.transaction().execute((tx) => note(tx, 'later'))
  expect(await notes()).toEqual(['later'])
})

test('a connection whose ROLLBACK was not answered is not reused', async () => {
  const refusal = new AppError('ORDER_STATUS_CHANGED')
  let pid = 0
  const refused = database.db.transaction().execute(async (tx) => {
    await note(tx, 'refused')
    pid = await pidOf(tx)
    process.kill(pid, 'SIGSTOP')
    throw refusal
  })
  try {
    // the caller gets the original error, not that of the slow rollback
    expect(await refused.catch((e) => e)).toBe(refusal)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  await database.db.transaction().execute((tx) => note(tx, 'paid'))
  await gone(pid)
  expect(await notes()).toEqual(['paid'])
})

test('an unanswered statement is given up together with its connection', async () => {
  const stalled = database.db.connection().execute(async (session) => {
    const pid = await pidOf(session)
    process.kill(pid, 'SIGSTOP')
    const code = await codeOf(note(session, 'perhaps'))
    return { pid, code }
  })
  const { pid, code } = await stalled
  process.kill(pid, 'SIGCONT')
  expect(code).toBe('Query read timeout')
  expect(await pidOf(database.db)).not.toBe(pid)
})

test('the database ends a long statement or lock wait first, and the connection stays', async () => {
  const pid = await pidOf(database.db)
  expect(await codeOf(sql`select pg_sleep(60)`.execute(database.db))).toBe('57014')
  await operator.query('begin')
  await operator.query('lock table notes in access exclusive mode')
  expect(await codeOf(note(database.db, 'locked out'))).toBe('55P03')
  await operator.query('commit')
  expect(await pidOf(database.db)).toBe(pid)
  const idle = await sql<{
    limit: string
  }>`select current_setting('idle_in_transaction_session_timeout') as limit`.execute(database.db)
  expect(idle.rows[0]?.limit).toBe('20s')
})

test('a read-only session is replaced by a new one', async () => {
  await operator.query('create role writer login in role pg_read_all_data')
  await operator.query('grant all on notes to writer')
  await operator.query('alter role writer set default_transaction_read_only = on')
  const as = await openDatabase({ dataDir: '', databaseUrl: url.replace('postgres@', 'writer@') }, { schema: 'wait' })
  expect(await codeOf(note(as.db, 'no'))).toBe('25006')
  await operator.query('alter role writer reset default_transaction_read_only')
  await note(as.db, 'yes')
  await as.close()
  expect(await notes()).toEqual(['yes'])
})

test('limits of background work are longer, of tools none', async () => {
  const limitOf = async (db: Kysely<DB>) =>
    (await sql<{ limit: string }>`select current_setting('statement_timeout') as limit`.execute(db)).rows[0]?.limit
  expect(await limitOf(database.db)).toBe('600ms')
  expect(await limitOf(database.background)).toBe('1min')
})

test('a transaction that went on after a failed statement is an error at its commit, not a success', async () => {
  const work = database.db.transaction().execute(async (tx) => {
    await note(tx, 'lost')
    await sql`select 1 / 0`.execute(tx).catch(() => undefined)
  })
  await expect(work).rejects.toThrow('nothing was stored')
  expect(await notes()).toEqual([])
})

test('work during a restart of the database waits for it; nothing is done twice', async () => {
  await note(database.db, 'before')
  await cluster.down()
  await expect(operator.query('select 1')).rejects.toThrow()
  const restarting = cluster.up()
  const during = ['a', 'b', 'c', 'd', 'e'].map((word) =>
    database.db.transaction().execute((tx) => note(tx, `during ${word}`)),
  )
  await Promise.all([restarting, ...during])
  operator = new pg.Client({ connectionString: url })
  await operator.connect()
  expect(await notes()).toEqual(['before', 'during a', 'during b', 'during c', 'during d', 'during e'])
})

test('while the database is away, work is refused as an outage within seconds and resumes afterwards', async () => {
  await cluster.down()
  try {
    const errors = await Promise.all([1, 2, 3, 4, 5].map((n) => note(database.db, String(n)).catch((e) => e)))
    expect(errors.map(isDatabaseAway)).toEqual([true, true, true, true, true])
  } finally {
    await cluster.up()
  }
  operator = new pg.Client({ connectionString: url })
  await operator.connect()
  await note(database.db, 'again')
  expect(await notes()).toEqual(['again'])
})

test('opening waits for a database that is not up yet and says so once', async () => {
  await cluster.down()
  const said: string[] = []
  let resolvePromise: () => void = () => undefined
  const waiting = new Promise<void>((resolve) => {
    resolvePromise = resolve
  })
  const say = (sentence: string) => {
    said.push(sentence)
    resolvePromise()
  }
  const opening = openDatabase(
    { dataDir: '', databaseUrl: url },
    { patience: { within: Number.POSITIVE_INFINITY, print: say } },
  )
  await waiting
  await cluster.up()
  const { db, close } = await opening
  expect(await pidOf(db)).toBeGreaterThan(0)
  await close()
  expect(said).toEqual([expect.stringMatching(/^⚠ 数据库还无法连接（DATABASE_URL）：.+已等待 \d+ 秒，继续重试。$/)])
  operator = new pg.Client({ connectionString: url })
  await operator.connect()
})

test('opening waits for a database that is still read-only', async () => {
  const standby = await cluster.createDatabase('standby')
  await operator.query('alter database standby set default_transaction_read_only = on')
  const said: string[] = []
  const print = (sentence: string) => {
    said.push(sentence)
    void operator.query('alter database standby reset default_transaction_read_only')
  }
  const patience = { within: Number.POSITIVE_INFINITY, print }
  const { close } = await openDatabase({ dataDir: '', databaseUrl: standby }, { patience })
  await close()
  expect(said.filter((sentence) => sentence.startsWith('⚠'))).toEqual([expect.stringMatching(/^⚠ 数据库还无法使用/)])
})

test('errors that waiting cannot cure are reported at once; the end of the process ends the wait', async () => {
  const patience = { within: Number.POSITIVE_INFINITY }
  const wrong = (databaseUrl: string) => openDatabase({ dataDir: '', databaseUrl }, { patience })
  await expect(wrong(url.replace(/connections$/, 'nothing'))).rejects.toThrow(StartError)
  await expect(wrong(url.replace('postgres@', 'nobody@'))).rejects.toThrow(/^数据库拒绝访问（DATABASE_URL）：.+nobody/)
  await operator.query('create role reader login')
  await expect(wrong(url.replace('postgres@', 'reader@'))).rejects.toThrow(/^数据库拒绝访问（DATABASE_URL）：/)
  const stopping = new AbortController()
  const endless = openDatabase(
    { dataDir: '', databaseUrl: 'postgres://127.0.0.1:9/x' },
    { patience: { ...patience, print: () => stopping.abort(), signal: stopping.signal } },
  )
  await expect(endless).rejects.toThrow(/abort/i)
})
