/**
 * `npm run load:run -- --json`: the rate of frequent reads of two web processes beside bare Fastify servers that select
 * the same rows, the database's processor time while two processes are idle, and `user/get` for twenty times as many
 * clients. It reads the PostgreSQL of DATABASE_URL (fill it with `npm run load:fill`); without one it fills a small one
 * of its own. Options: --seconds and --rounds of a measurement, --idle (seconds). docs/scale.md has results. The other
 * measurements of the server use what is exported here.
 */
import { execFileSync, fork } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { startCluster } from '../server/test/postgres.ts'
import { tempFolder } from '../server/test/temp.ts'
import { calls } from '../src/contract/calls.ts'
import { canonicalGet, toQuery } from '../src/contract/query.ts'
import { sign } from '../src/contract/sign.ts'
import { startServer as start } from '../test/fakes/server.ts'
import { build } from './build.mjs'
import { root, startTs } from './lib.mjs'

const SECRET = 'load-sign-secret'
/** number of users whose rows are read in turn */
const SAMPLE = 300
/** clients with the highest throughput of two processes */
const CONNECTIONS = 20
/** ms after a start until the first due work is done */
const SETTLE = 10_000
/** requests a second of one of the many clients, which pauses for a tenth of Retry-After when it was refused */
const IMPATIENT = 7

const { reportGet, orderList } = calls.evaluation
const PAGE = { tab: 'ALL', pageNo: 1, pageSize: 10 }
/** The calls that are measured; `bare` is the path at which the bare server selects the same row. */
const reads = {
  'user/get': { call: calls.user.get, params: () => ({}), bare: ({ userId }) => `/user?id=${userId}` },
  'report/get': { call: reportGet, params: ({ orderId }) => ({ orderId }), bare: (row) => `/report?id=${row.orderId}` },
  'order/list': { call: orderList, params: () => PAGE, bare: ({ userId }) => `/orders?id=${userId}` },
}

export const round = (value, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits

/** A process of the compiled server as in production. */
export async function startServer(databaseUrl, role, env = {}) {
  process.env.SERVER_BUNDLE = path.join(root, 'dist/server')
  const dataDir = tempFolder('load-')
  const server = await start({
    dataDir,
    env: {
      ...{ NODE_ENV: 'production', SANDBOX: '0', DATABASE_URL: databaseUrl, PROCESS: role, SIGN_SECRET: SECRET },
      ...{ IDENTITY_KEYS: `k1:${Buffer.alloc(32, 'load').toString('base64')}`, PUBLIC_URL: 'https://load.example' },
      ...{ RATE_LIMIT: '0', LOG_LEVEL: 'error', ...env },
    },
  })
  const stop = () => server.stop().finally(() => rmSync(dataDir, { recursive: true, force: true }))
  return { ...server, stop }
}

/** Bare Fastify with pg (bench/baseline-server.mjs), as its own process. */
async function startBaseline(databaseUrl) {
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  const child = fork(path.join(root, 'bench/baseline-server.mjs'), { env, execArgv: [] })
  const [url] = await once(child, 'message')
  return { url, stop: () => child.disconnect() }
}

/** A signed request of a logged-in user, as autocannon sends it; valid for ten minutes. */
export function signed({ method, path: url }, params, token) {
  const body = method === 'GET' ? undefined : JSON.stringify(params)
  const query = method === 'GET' ? toQuery(params) : ''
  const [timestamp, random] = [String(Date.now()), '042137']
  const signature = sign({ canonical: body ?? canonicalGet(params), timestamp, random, secret: SECRET })
  const client = { 'content-type': 'application/json', version: '2.0.4', platform: 'h5', os: 'other', token }
  const headers = { ...client, timestamp, random, sign: signature }
  return { method, path: query ? `${url}?${query}` : url, body, headers }
}

/** Logs users in, for an hour. @returns the rows, each with a token of its user */
export async function logIn(client, rows) {
  const users = rows.map((row) => ({ ...row, token: randomBytes(32).toString('base64url') }))
  const hashes = users.map(({ token }) => createHash('sha256').update(token).digest('hex'))
  await client.query(
    `insert into sessions (token_hash, id, user_id, device, created_at, seen_at, expires_at)
     select hash, 'load-' || left(hash, 15), user_id, 'load', $3, $3, $3 + 3600000::bigint
     from unnest($1::text[], $2::text[]) as s (hash, user_id)`,
    [hashes, users.map(({ userId }) => userId), Date.now()],
  )
  return users
}

/** Orders with a report, each of another user, with a token of that user. */
async function sampleOf(client) {
  const { rows } = await client.query(
    `select distinct on (user_id) user_id as "userId", id as "orderId" from
      (select user_id, id from orders where report_no is not null order by id limit ${4 * SAMPLE}) as sample
     limit ${SAMPLE}`,
  )
  if (rows.length === 0) throw new Error('no orders with a report: run `npm run load:fill` first')
  return logIn(client, rows)
}

/**
 * Sends requests in turn to all servers by autocannon.
 * @returns accepted answers a second, their p50 and p99 (ms), and how many requests were refused or failed
 */
async function ask(servers, requests, { seconds, ...others }) {
  const url = servers.map((server) => server.url)
  const options = { url, duration: seconds, requests, excludeErrorStats: true, ...others }
  const { statusCodeStats = {}, errors, latency, duration, ...result } = await autocannon(options)
  const refused = statusCodeStats['406']?.count ?? 0
  const failed = errors + result.non2xx - refused
  return { perSecond: Math.round(result['2xx'] / duration), p50: latency.p50, p99: latency.p99, refused, failed }
}

/**
 * Each read in turn with its baseline, because what else the machine does changes within a minute.
 * @param settings `connections` in all, `seconds` of a run, `rounds` of which the median counts
 */
export async function measureReads(client, databaseUrl, servers, { rounds, connections, seconds }) {
  const baselines = await Promise.all(servers.map(() => startBaseline(databaseUrl)))
  const rows = await sampleOf(client)
  const median = (runs) => runs.sort((a, b) => a.perSecond - b.perSecond)[Math.floor((rounds - 1) / 2)]
  const results = []
  for (const [name, { call, params, bare }] of Object.entries(reads)) {
    const ours = () => rows.map((row) => signed(call, params(row), row.token))
    const paths = rows.map((row) => ({ path: bare(row) }))
    // compiled code and prepared statements, as in a server that has run for weeks
    await ask(servers, ours(), { connections, seconds: 2 * seconds })
    /** @type {Record<'ours' | 'bare', Awaited<ReturnType<typeof ask>>[]>} */
    const runs = { ours: [], bare: [] }
    for (let i = 0; i < rounds; i += 1) {
      runs.ours.push(await ask(servers, ours(), { connections, seconds }))
      runs.bare.push(await ask(baselines, paths, { connections, seconds }))
    }
    const [one, other] = [median(runs.ours), median(runs.bare)]
    results.push({ name, ...one, baseline: other, ratio: round(one.perSecond / other.perSecond) })
  }
  for (const { stop } of baselines) stop()
  return results
}

/** `user/get` with `connections`, and with twenty times as many clients that ask again soon after a refusal. */
async function measureOverload(client, servers, { connections, seconds }) {
  const [row] = await sampleOf(client)
  const requests = [signed(reads['user/get'].call, {}, row.token)]
  const clients = [connections, 20 * connections]
  const best = await ask(servers, requests, { connections, seconds })
  const many = { connections: clients[1], connectionRate: IMPATIENT, ignoreCoordinatedOmission: true }
  return { clients, best, over: await ask(servers, requests, { seconds, ...many }) }
}

/** Fields of /proc/PID/stat behind the name: state, parent, …; of a process that is gone none. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
  } catch {
    return []
  }
}

/** Processor seconds of PostgreSQL in `seconds`, while two processes are idle; undefined if it is on another machine. */
async function measureIdle(client, databaseUrl, seconds) {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const postmaster = statOf(rows[0].pid)[1]
  if (!postmaster) return undefined
  const processes = await Promise.all(['all', 'all'].map((role) => startServer(databaseUrl, role)))
  await delay(SETTLE)
  const used = () =>
    readdirSync('/proc')
      .map((pid) => [Number(pid), ...statOf(pid)])
      .filter(([pid, , parent]) => pid === postmaster || parent === postmaster)
      // user and system time in hundredths, of the postmaster also that of processes that have ended
      .reduce((sum, [pid, ...stat]) => sum + stat[11] + stat[12] + (pid === postmaster ? stat[13] + stat[14] : 0), 0)
  const before = used()
  await delay(seconds * 1000)
  const databaseSeconds = round((used() - before) / 100)
  await Promise.all(processes.map(({ stop }) => stop()))
  return { seconds, processes: processes.length, databaseSeconds }
}

/** A separate database with a few rows. @throws Error when it was not filled */
export async function ownDatabase() {
  const cluster = await startCluster()
  const databaseUrl = await cluster.createDatabase('load')
  const amounts = ['--users', '2000', '--orders', '10000', '--reports', '9500']
  const fill = startTs(['scripts/load-fill.mjs', ...amounts], { DATABASE_URL: databaseUrl })
  const code = await new Promise((resolve) => fill.once('close', resolve))
  if (code !== 0) throw new Error('没有写入测试数据。')
  return { databaseUrl, stop: () => cluster.stop() }
}

async function run() {
  const number = (fallback) => ({ type: /** @type {const} */ ('string'), default: String(fallback) })
  const json = { type: /** @type {const} */ ('boolean') }
  const { values } = parseArgs({ options: { json, seconds: number(5), rounds: number(3), idle: number(60) } })
  const settings = { seconds: Number(values.seconds), connections: CONNECTIONS, rounds: Number(values.rounds) }
  if (!(await build('server'))) return 1
  const given = process.env.DATABASE_URL
  const { databaseUrl, stop } = given ? { databaseUrl: given, stop: () => undefined } : await ownDatabase()
  // in production a server waits until an operator has migrated the database
  const env = { ...process.env, DATABASE_URL: databaseUrl }
  execFileSync(process.execPath, ['dist/server/migrate.js'], { env, cwd: root, stdio: 'ignore' })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const started = []
  try {
    const { rows } = await client.query(`select (select count(*)::int from users) as users,
      (select count(*)::int from orders) as orders, (select count(*)::int from reports) as reports`)
    const idle = await measureIdle(client, databaseUrl, Number(values.idle))
    for (const role of ['worker', 'web', 'web']) started.push(await startServer(databaseUrl, role))
    await delay(SETTLE)
    const webs = started.slice(1)
    const measured = await measureReads(client, databaseUrl, webs, settings)
    const overload = await measureOverload(client, webs, settings)
    const result = { ...rows[0], connections: CONNECTIONS, idle, overload, calls: measured }
    process.stdout.write(`${JSON.stringify(result, undefined, values.json ? undefined : 2)}\n`)
    return 0
  } finally {
    await Promise.all(started.map((one) => one.stop()))
    await client.end()
    stop()
  }
}

if (process.argv[1] === path.join(root, 'scripts/load.mjs')) process.exit(await run())
