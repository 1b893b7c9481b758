import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from './free-port'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { call, type ServerProcess, startProcess } from './process'
import { root, tempFolder } from './temp'

const asRoot = process.getuid?.() === 0
/** connections to the database; the servers open many times more to the pooler */
const SERVER_CONNECTIONS = 4
/** concurrent users, more than these connections */
const CLIENTS = 6
/** a network gets 20 codes a day */
const USERS = 12
/** settings of a role apply to the whole cluster, so these tests have a role of their own */
const ROLE = `pooled_${process.pid}`
/** the statements of the guide that set the limits for the role */
const roleSettings =
  readFileSync(path.join(root, 'docs/deployment.md'), 'utf8').match(/^alter role valuation set .+;$/gm) ?? []
let testDatabase: TestDatabase
let direct: pg.Client
let pooler: ChildProcess | undefined
let pooled: string
const running: ServerProcess[] = []

/** Transaction mode, as docs/deployment.md describes it. */
async function startPooler(databaseUrl: string): Promise<string> {
  const { port, pathname } = new URL(databaseUrl)
  const folder = tempFolder('valuation-test-pgbouncer-')
  chmodSync(folder, 0o777)
  const own = await freePort()
  const config = path.join(folder, 'pgbouncer.ini')
  writeFileSync(
    config,
    `[databases]
* = host=127.0.0.1 port=${port} user=${ROLE}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${own}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_client_conn = 200
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout
${asRoot ? 'user = postgres' : ''}
`,
  )
  chmodSync(config, 0o644)
  const program = existsSync('/usr/sbin/pgbouncer') ? '/usr/sbin/pgbouncer' : 'pgbouncer'
  pooler = spawn(program, ['-q', config], { stdio: 'ignore' })
  const address = `postgres://${ROLE}@127.0.0.1:${own}${pathname}`
  for (let up = false; !up; await delay(20)) {
    const client = new pg.Client(address)
    up = await client.connect().then(
      () => true,
      () => false,
    )
    if (up) await client.end()
    if (pooler.exitCode !== null) throw new Error(`pgbouncer ended with ${pooler.exitCode}`)
  }
  return address
}

describe('behind PgBouncer in transaction mode', () => {
  beforeAll(async () => {
    testDatabase = await createTestDatabase()
    await insertGamesWithoutSales(testDatabase)
    direct = new pg.Client(testDatabase.env.DATABASE_URL)
    await direct.connect()
    await direct.query(`create role ${ROLE} login superuser`)
    pooled = await startPooler(testDatabase.env.DATABASE_URL)
  })
  afterAll(async () => {
    for (const p of running) p.child.kill('SIGKILL')
    await Promise.all(running.map((p) => p.ended))
    if (pooler) {
      pooler.kill('SIGKILL')
      await once(pooler, 'exit')
    }
    await direct.query(`drop owned by ${ROLE}`)
    await direct.query(`drop role ${ROLE}`)
    await direct.end()
    testDatabase.remove()
  })
  /** Asks all connections of the pooler to the database, which transactions hold meanwhile. */
  async function askPooled(question: string): Promise<unknown[]> {
    const clients = Array.from({ length: SERVER_CONNECTIONS }, () => new pg.Client(pooled))
    await Promise.all(clients.map((client) => client.connect()))
    await Promise.all(clients.map((client) => client.query('begin')))
    const answers = await Promise.all(clients.map((client) => client.query({ text: question, rowMode: 'array' })))
    await Promise.all(clients.map((client) => client.query('rollback').then(() => client.end())))
    return answers.map(({ rows }) => rows[0])
  }

  const start = async () => {
    const p = startProcess({ ...testDatabase.env, DATABASE_URL: pooled, LOG_LEVEL: 'error' })
    running.push(p)
    return { url: await p.ready(), process: p }
  }

  test('two servers with more connections than the database allows serve logins and writes without an error', async () => {
    const servers = [await start(), await start()]
    // a process whose connections are all waited for refuses calls, which says nothing about the pooler
    const patiently: typeof call = async (...given) => {
      for (;;) {
        const answer = await call(...given)
        if (answer.code !== 'REQUEST_TOO_BUSY_PLEASE_WAIT') return answer
        await delay(100)
      }
    }
    const user = async (n: number) => {
      const { url } = servers[n % servers.length] as { url: string }
      const mobile = `138001${String(30_000 + n)}`
      await patiently(url, 'user', 'sendSmsCode', { mobile, scene: 1 })
      const { code } = (await (await fetch(`${url}/sandbox/sms?mobile=${mobile}`)).json()) as { code: string }
      const { token } = (await patiently(url, 'user', 'smsLogin', { mobile, code })).data
      // the session is valid at the other server too
      const other = (servers[(n + 1) % servers.length] as { url: string }).url
      const request = await patiently(
        other,
        'evaluation',
        'saveGameFeedback',
        { gameName: `游戏${n}`, platform: 'OTHER' },
        token,
      )
      const me = await patiently(other, 'user', 'get', {}, token)
      return [request.success, me.success]
    }
    const outcomes: boolean[][] = []
    // few enough at a time that a busy machine refuses none
    for (let first = 0; first < USERS; first += CLIENTS)
      outcomes.push(...(await Promise.all(Array.from({ length: CLIENTS }, (_, n) => user(first + n)))))
    expect(outcomes).toEqual(outcomes.map(() => [true, true]))
    // newer versions of PgBouncer keep prepared statements, older ones would have answered with errors
    const prepared = 'select count(*)::int, pg_backend_pid() from pg_prepared_statements'
    const asked = (await askPooled(prepared)) as [number, number][]
    expect(asked.map(([count]) => count)).toEqual(Array(SERVER_CONNECTIONS).fill(0))
    expect(new Set(asked.map(([, pid]) => pid)).size).toBe(SERVER_CONNECTIONS)
    for (const { process } of servers) process.child.kill('SIGTERM')
    expect(await Promise.all(servers.map(({ process }) => process.ended))).toEqual([0, 0])
    expect(servers.map(({ process }) => process.output()).join('')).not.toMatch(/"level":50/)
  })

  test('the limits of the guide apply to sessions of the role', async () => {
    expect(roleSettings).toHaveLength(3)
    for (const statement of roleSettings) await direct.query(statement.replace('valuation', ROLE))
    // the pooler opens new connections instead of these
    await direct.query('select pg_terminate_backend(pid) from pg_stat_activity where usename = $1', [ROLE])
    await start()
    const limits = `select array_agg(setting::int order by name) from pg_settings
      where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`
    // in the order of their names
    expect(await askPooled(limits)).toEqual(Array(SERVER_CONNECTIONS).fill([[20_000, 5000, 15_000]]))
  })
})
