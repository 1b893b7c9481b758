/** A separate PostgreSQL server that can be stopped, suspended, killed and deprived of disk space. */
import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { freePort } from '../free-port'
import { binaries } from '../postgres'

const execute = promisify(execFile)

export interface FaultCluster {
  /** connection address of its one database */
  url: string
  port: number
  /** the address through another local port */
  urlAt(port: number): string
  /** Runs one statement as superuser on its own connection. */
  query(sql: string, values?: unknown[]): Promise<pg.QueryResult>
  /**
   * Triggers work and waits, at most 3 s, until that many transactions have written and are still open.
   */
  openTransactions(count: number, trigger: () => void): Promise<void>
  /** Locks a table in its own session for `ms`. */
  lockTable(table: string, ms: number): Promise<void>
  /** Ends every other session of the database. @returns how many */
  terminateBackends(): Promise<number>
  stopServer(mode: 'fast' | 'immediate'): Promise<void>
  /** Starts the server unless it runs. */
  startServer(): Promise<void>
  /** SIGSTOP to the postmaster and all its processes. */
  suspend(): void
  /** SIGCONT to the same processes. */
  resume(): void
  /** pids of the postmaster and its processes; empty when it does not run */
  processes(): number[]
  /** Ends everything and removes the files. */
  remove(): Promise<void>
}

const asRoot = process.getuid?.() === 0

/** PostgreSQL refuses to run as root. */
const asPostgres = (file: string, args: string[]): [string, string[]] =>
  asRoot ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args]

/** Asynchronous, because the payment provider and the load run in this process. */
async function run(file: string, args: string[]): Promise<void> {
  const [command, rest] = asPostgres(file, args)
  await execute(command, rest)
}

/** Children of a process, from /proc: PostgreSQL's own processes are all children of the postmaster. */
function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals) {
  for (const pid of pids)
    try {
      process.kill(pid, signal)
    } catch {
      // the process has ended meanwhile
    }
}

/** @param given folder for its files (for example a small file system); one of its own in /tmp when left out */
export async function startFaultCluster(given?: string): Promise<FaultCluster> {
  const home = given ?? mkdtempSync(path.join(tmpdir(), 'faults-pg-'))
  const bin = binaries()
  if (asRoot) {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
    chownSync(home, id('-u'), id('-g'))
  }
  chmodSync(home, 0o700)
  const data = path.join(home, 'data')
  const port = await freePort()
  await run(path.join(bin, 'initdb'), [
    ...['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    ...['--wal-segsize=1', '--no-instructions'],
  ])
  const options = [
    `-F -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home}`,
    // four processes with up to fourteen connections each, as in a small production, and those of the suite
    '-c max_connections=80 -c max_wal_size=16MB -c min_wal_size=4MB -c restart_after_crash=on',
  ].join(' ')
  const control = (...args: string[]) => run(path.join(bin, 'pg_ctl'), ['-D', data, '-w', ...args])
  const postmaster = () => {
    const file = path.join(data, 'postmaster.pid')
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
    return pid > 0 && existsSync(`/proc/${pid}`) ? pid : undefined
  }
  const processes = () => {
    const first = postmaster()
    return first === undefined ? [] : [first, ...childrenOf(first)]
  }
  /** processes that ran when the fault began */
  let known: number[] = []
  const startServer = async () => {
    if (postmaster() === undefined) await control('-l', path.join(home, 'log'), '-o', options, 'start')
  }
  const killAll = () => signalAll(processes(), 'SIGKILL')
  process.once('exit', killAll)
  await startServer()

  const urlAt = (port: number, database = 'valuation') => `postgres://postgres@127.0.0.1:${port}/${database}`
  const url = urlAt(port)
  const session = async <T>(work: (client: pg.Client) => Promise<T>, address = url): Promise<T> => {
    const client = new pg.Client({ connectionString: address, application_name: 'fault' })
    client.on('error', () => undefined)
    await client.connect()
    return work(client).finally(() => client.end().catch(() => undefined))
  }
  await session((client) => client.query('create database valuation'), urlAt(port, 'postgres'))

  return {
    url,
    port,
    urlAt,
    query: (sql, values) => session((client) => client.query(sql, values)),
    openTransactions: (count, trigger) =>
      session(async (client) => {
        const giveUpAt = performance.now() + 3000
        known = processes()
        trigger()
        for (let open = 0; open < count && performance.now() < giveUpAt; ) {
          const { rows } = await client.query(
            "select count(*)::int as n from pg_stat_activity where state = 'idle in transaction' and query ~ '^(insert|update)'",
          )
          open = rows[0].n
        }
      }),
    lockTable: (table, ms) =>
      session(async (client) => {
        await client.query('begin')
        await client.query(`lock table ${client.escapeIdentifier(table)} in access exclusive mode`)
        await new Promise((resolve) => setTimeout(resolve, ms))
        await client.query('rollback')
      }),
    async terminateBackends() {
      const { rowCount } = await session((client) =>
        client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`),
      )
      return rowCount ?? 0
    },
    stopServer: (mode) => control('-m', mode, 'stop'),
    startServer,
    suspend() {
      // finding them takes longer than a transaction does
      signalAll(known, 'SIGSTOP')
      signalAll(processes(), 'SIGSTOP')
    },
    resume: () => signalAll(processes(), 'SIGCONT'),
    processes,
    async remove() {
      process.off('exit', killAll)
      signalAll(processes(), 'SIGCONT')
      if (postmaster() !== undefined) await control('-m', 'immediate', 'stop')
      // the caller removes its own file system
      if (given === undefined) rmSync(home, { recursive: true, force: true })
    },
  }
}
