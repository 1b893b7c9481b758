import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { freePort } from './free-port'
import { tempFolder } from './temp'

/** A separate PostgreSQL, not safe against power loss, removed by `stop()`. */
export interface Cluster {
  /** `postgres://…`, without a database */
  address: string
  /** the same by its Unix socket, which takes half the time of the loopback interface */
  socketAddress: string
  /** Creates a database, empty or as a copy of another one without connections. @returns its connection address */
  createDatabase(name: string, template?: string): Promise<string>
  /** Stops the server without waiting for clients (`pg_ctl -m fast`); its data are kept for `up`. */
  down(): Promise<void>
  /** Starts it again, on the same port. */
  up(): Promise<void>
  stop(): void
}

const asRoot = process.getuid?.() === 0

/** A killed process loses nothing with these, only a machine that loses power; a copied database costs a fifth less. */
const CHEAP_WRITES = { full_page_writes: 'off', wal_level: 'minimal', max_wal_senders: 0, max_wal_size: '2GB' }

/** Folder of `pg_ctl` and `initdb`. @throws Error when PostgreSQL is not installed */
export function binaries(): string {
  const onPath = spawnSync('sh', ['-c', 'command -v pg_ctl'], { encoding: 'utf8' }).stdout.trim()
  if (onPath) return path.dirname(onPath)
  const versions = '/usr/lib/postgresql'
  const newest = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined
  if (!newest) throw new Error('PostgreSQL is not installed: no pg_ctl in PATH or under /usr/lib/postgresql')
  return path.join(versions, newest, 'bin')
}

/** PostgreSQL refuses to run as root, so root switches to the user that the package created. */
function run(file: string, args: string[]): string {
  const [command, rest] = asRoot ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args]
  return execFileSync(command, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The same without blocking the process, so that the test continues meanwhile. */
async function runApart(file: string, args: string[]): Promise<void> {
  const [command, rest] = asRoot ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args]
  const child = spawn(command, rest, { stdio: 'ignore' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${path.basename(file)} ${args.at(-1)} ended with ${code}`)
}

/** Runs `work` with a connection to the cluster's own database. */
async function administer(address: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client({ connectionString: `${address}/postgres` })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

/** @returns the new database's connection address */
export async function createDatabase(address: string, name: string, template = 'template1'): Promise<string> {
  await administer(address, (client) => {
    const [made, of] = [name, template].map((identifier) => client.escapeIdentifier(identifier))
    // copying files is faster than the default, which writes every page to the WAL
    return client.query(`create database ${made} template ${of} strategy file_copy`)
  })
  return `${address}/${name}`
}

const drop = (client: pg.Client, name: string) =>
  client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)

/** Drops a database, terminating its remaining connections. */
export const dropDatabase = (address: string, name: string): Promise<void> =>
  administer(address, (client) => drop(client, name))

/** Drops all databases with this name prefix. */
export const dropDatabases = (address: string, prefix: string): Promise<void> =>
  administer(address, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix])
    for (const { datname } of rows) await drop(client, datname)
  })

interface ClusterOptions {
  /** maximum number of connections */
  connections?: number
  /** of PostgreSQL, beside those of every test cluster */
  settings?: Record<string, string>
}

export async function startCluster({ connections = 60, settings: own = {} }: ClusterOptions = {}): Promise<Cluster> {
  const bin = binaries()
  const home = tempFolder('valuation-pg-')
  if (asRoot) {
    const uid = Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' }))
    const gid = Number(execFileSync('id', ['-g', 'postgres'], { encoding: 'utf8' }))
    chownSync(home, uid, gid)
  }
  const data = path.join(home, 'data')
  const port = await freePort()
  run(path.join(bin, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'])
  const settings = {
    ...{ listen_addresses: '127.0.0.1', unix_socket_directories: home, max_connections: connections },
    ...CHEAP_WRITES,
    ...own,
  }
  const options = Object.entries(settings).reduce((all, [name, value]) => `${all} -c ${name}=${value}`, `-F -p ${port}`)
  const pgCtl = path.join(bin, 'pg_ctl')
  const up = () => runApart(pgCtl, ['-D', data, '-w', '-l', path.join(home, 'log'), '-o', options, 'start'])
  await up()
  const address = `postgres://postgres@127.0.0.1:${port}`
  const socketAddress = `postgres://postgres@${encodeURIComponent(home)}:${port}`
  let running = true
  const stop = () => {
    if (!running) return
    running = false
    try {
      run(pgCtl, ['-D', data, '-m', 'immediate', 'stop'])
    } catch {
      // a test has stopped it
    }
    rmSync(home, { recursive: true, force: true })
  }
  process.once('exit', stop)
  return {
    address,
    socketAddress,
    createDatabase: (name, template) => createDatabase(address, name, template),
    down: () => runApart(pgCtl, ['-D', data, '-w', '-m', 'fast', 'stop']),
    up,
    stop,
  }
}
