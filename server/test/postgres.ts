import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, existsSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { tempFolder } from './temp'

/** A PostgreSQL of its own, without safety against power loss, gone after `stop()`. */
export interface Cluster {
  /** `postgres://…`, without a database */
  address: string
  /** Makes a database, empty or a copy of another that nobody is connected to, and gives its connection address. */
  createDatabase(name: string, template?: string): Promise<string>
  /** Ends the server as an operator would who is in a hurry (`pg_ctl -m fast`); its data stay for `up`. */
  down(): Promise<void>
  /** Starts it again, on the same port. */
  up(): Promise<void>
  stop(): void
}

const asRoot = process.getuid?.() === 0

/** Folder of `pg_ctl` and `initdb`. @throws Error when PostgreSQL is not installed */
export function binaries(): string {
  const onPath = spawnSync('sh', ['-c', 'command -v pg_ctl'], { encoding: 'utf8' }).stdout.trim()
  if (onPath) return path.dirname(onPath)
  const versions = '/usr/lib/postgresql'
  const newest = existsSync(versions) ? readdirSync(versions).sort((a, b) => Number(b) - Number(a))[0] : undefined
  if (!newest) throw new Error('PostgreSQL is not installed: no pg_ctl in PATH or under /usr/lib/postgresql')
  return path.join(versions, newest, 'bin')
}

/** PostgreSQL refuses to run as root, so root steps aside for the user the package made. */
function run(file: string, args: string[]): string {
  const [command, rest] = asRoot ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args]
  return execFileSync(command, rest, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The same without holding up the process, so that a test goes on meanwhile. */
async function runApart(file: string, args: string[]): Promise<void> {
  const [command, rest] = asRoot ? ['runuser', ['-u', 'postgres', '--', file, ...args]] : [file, args]
  const child = spawn(command, rest, { stdio: 'ignore' })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${path.basename(file)} ${args.at(-1)} ended with ${code}`)
}

/** A port of 127.0.0.1 that nobody listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port'))))
    })
  })
}

/** Something done to the cluster itself. */
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
    const [made, of] = [name, template].map((one) => client.escapeIdentifier(one))
    // copying files is faster than the default, which writes every page to the log
    return client.query(`create database ${made} template ${of} strategy file_copy`)
  })
  return `${address}/${name}`
}

const drop = (client: pg.Client, name: string) =>
  client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`)

/** Ends the connections that are left. */
export const dropDatabase = (address: string, name: string): Promise<void> =>
  administer(address, (client) => drop(client, name))

/** All whose names begin so. */
export const dropDatabases = (address: string, prefix: string): Promise<void> =>
  administer(address, async (client) => {
    const { rows } = await client.query('select datname from pg_database where starts_with(datname, $1)', [prefix])
    for (const { datname } of rows) await drop(client, datname)
  })

/** @param connections how many it takes at once */
export async function startCluster({ connections = 60 } = {}): Promise<Cluster> {
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
  const options = `-F -p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${home} -c max_connections=${connections}`
  const pgCtl = path.join(bin, 'pg_ctl')
  const up = () => runApart(pgCtl, ['-D', data, '-w', '-l', path.join(home, 'log'), '-o', options, 'start'])
  await up()
  const address = `postgres://postgres@127.0.0.1:${port}`
  let running = true
  const stop = () => {
    if (!running) return
    running = false
    try {
      run(pgCtl, ['-D', data, '-m', 'immediate', 'stop'])
    } catch {
      // a test left it down
    }
    rmSync(home, { recursive: true, force: true })
  }
  process.once('exit', stop)
  return {
    address,
    createDatabase: (name, template) => createDatabase(address, name, template),
    down: () => runApart(pgCtl, ['-D', data, '-w', '-m', 'fast', 'stop']),
    up,
    stop,
  }
}
