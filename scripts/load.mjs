/** Measures reads of the server on PostgreSQL beside a baseline server of the same rows (bench/baseline-server.mjs). */
import { fork, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { loadFrom } from '../server/test/load-clients.ts'
import { startCluster } from '../server/test/postgres.ts'
import { calls } from '../src/contract/calls.ts'
import { canonicalGet, toQuery } from '../src/contract/query.ts'
import { sign } from '../src/contract/sign.ts'
import { root } from './lib.mjs'

const SECRET = 'load-sign-secret'
/** number of users whose rows are read in turn */
const SAMPLE = 300
/** ms after which the logins of a sample expire if they are not removed at the end */
const LOGIN_LASTS = 3_600_000
/** s of requests before each measurement, repeated while they make the server faster */
const WARM_UP = 3
/** share of the processor time per request of the run before, above which the server counts as warm */
const WARM = 0.93
const MAX_WARM_UPS = 8
const TICKS_PER_SECOND = 100

/** Paths to read: `baseline` is the path of the baseline server for the same row. */
const reads = [
  { name: 'user/get', call: calls.user.get, user: true, baseline: (row) => `/user?id=${row.userId}` },
  {
    name: 'report/get',
    call: calls.evaluation.reportGet,
    user: true,
    req: ({ orderId }) => ({ orderId }),
    baseline: (row) => `/report?id=${row.orderId}`,
  },
  {
    name: 'order/list',
    call: calls.evaluation.orderList,
    user: true,
    req: () => ({ tab: 'ALL', pageNo: 1, pageSize: 10 }),
    baseline: (row) => `/orders?id=${row.userId}`,
  },
  { name: 'app-home-game-list', call: calls.app.homeGameList },
  { name: 'app-home-data-count', call: calls.app.homeDataCount },
  { name: 'last-fifteen-order', call: calls.app.lastFifteenOrder },
  { name: 'excellent-report-list', call: calls.app.excellentReportList, req: () => ({ pageNo: 1, pageSize: 10 }) },
]
/** @param {string} wanted name of a read */
function readOf(wanted) {
  const read = reads.find(({ name }) => name === wanted)
  if (!read) throw new Error(`no read is named ${wanted}`)
  return read
}

/** calls that everybody gets the same answer to are compared with this one */
const CACHED = readOf('app-home-game-list')

/** utime + stime, and those of ended children, in seconds; 0 when the process is gone */
function processorTime(pid, { ended = false } = {}) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [user, system, endedUser, endedSystem] = fields.slice(11)
    return (user + system + (ended ? endedUser + endedSystem : 0)) / TICKS_PER_SECOND
  } catch {
    return 0
  }
}

const parentOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return 0
  }
}

/**
 * @returns a function for the processor seconds of all processes of the database's server; undefined if it runs on
 * another machine
 */
async function databaseTime(client) {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const postmaster = parentOf(rows[0].pid)
  if (!/postgres|postmaster/.test(commandOf(postmaster))) return undefined
  return () =>
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && parentOf(name) === postmaster)
      .reduce((sum, pid) => sum + processorTime(pid), processorTime(postmaster, { ended: true }))
}

function commandOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return ''
  }
}

/** A process of the compiled server as in production. @returns its address and how to end it */
export async function startServer(databaseUrl, role, env = {}) {
  const child = spawn(process.execPath, [path.join(process.env.SERVER_BUNDLE ?? 'dist/server', 'main.js')], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PROCESS: role,
      HOST: '127.0.0.1',
      PORT: '0',
      SIGN_SECRET: SECRET,
      IDENTITY_KEYS: `k1:${Buffer.alloc(32, 'load').toString('base64')}`,
      PUBLIC_URL: 'https://load.example',
      RATE_LIMIT: '0',
      DRAIN_SECONDS: '0',
      ...env,
    },
  })
  const url = await new Promise((resolve, reject) => {
    let text = ''
    child.stderr.on('data', (chunk) => {
      text += chunk
      const [, address] = /服务已就绪：(\S+)/.exec(text) ?? []
      if (address) resolve(address)
    })
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${text}`)))
  })
  const stop = () =>
    new Promise((resolve) => {
      child.once('exit', resolve)
      child.kill('SIGTERM')
    })
  return { url, pid: child.pid, stop }
}

function startBaseline(databaseUrl) {
  const child = fork(path.join(root, 'bench/baseline-server.mjs'), {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    execArgv: [],
  })
  return new Promise((resolve, reject) => {
    child.once('message', (url) => resolve({ url, pid: child.pid, stop: async () => child.disconnect() }))
    child.once('exit', (code) => reject(new Error(`bench/baseline-server.mjs ended with ${code}`)))
  })
}

/** Orders with a report, each of a different, logged-in user. */
async function sampleOf(client) {
  const { rows } = await client.query(
    `select distinct on (user_id) user_id as "userId", id as "orderId" from
      (select user_id, id from orders where id >= $1 and report_no is not null order by id limit ${4 * SAMPLE}) as recent
     limit ${SAMPLE}`,
    [randomBytes(1).toString('hex').replace('f', '0')],
  )
  if (rows.length === 0) throw new Error('no orders with a report: run `npm run load:fill` first')
  for (const row of rows) row.token = randomBytes(32).toString('base64url')
  const hashes = rows.map(({ token }) => createHash('sha256').update(token).digest('hex'))
  const now = Date.now()
  await client.query(
    `insert into sessions (token_hash, id, user_id, device, created_at, seen_at, expires_at)
     select hash, 'load-' || left(hash, 15), user_id, 'load', $3, $3, $4
     from unnest($1::text[], $2::text[]) as s (hash, user_id)`,
    [hashes, rows.map(({ userId }) => userId), now, now + LOGIN_LASTS],
  )
  const remove = () => client.query('delete from sessions where token_hash = any($1::text[])', [hashes])
  return { rows, remove }
}

/**
 * A signed request as autocannon sends it.
 * @param {{ call: { method: string, path: string }, req?: (row: { orderId: string }) => Record<string, unknown> }} read
 * @param {{ orderId: string, token: string }} [row] of a user who is logged in
 */
function signed({ call: { method, path: url }, req }, row = { orderId: '', token: '' }) {
  const params = req?.(row) ?? {}
  const body = JSON.stringify(params)
  const timestamp = String(Date.now())
  const random = '042137'
  const canonical = method === 'GET' ? canonicalGet(params) : body
  const query = method === 'GET' ? toQuery(params) : ''
  return {
    method,
    path: query ? `${url}?${query}` : url,
    body: method === 'GET' ? undefined : body,
    headers: {
      ...{ 'content-type': 'application/json', version: '2.0.4', platform: 'h5', os: 'other' },
      ...{ timestamp, random, sign: sign({ canonical, timestamp, random, secret: SECRET }) },
      ...(row.token && { token: row.token }),
    },
  }
}

const round = (value, digits = 2) => Math.round(value * 10 ** digits) / 10 ** digits

/** Sends the requests in turn to all processes. */
async function load(processes, requests, { connections, seconds }, times) {
  const before = { server: sum(processes, ({ pid }) => processorTime(pid)), database: times?.() ?? 0 }
  const options = { url: processes.map(({ url }) => url), connections, duration: seconds, requests }
  const result = await autocannon(options)
  const n = result['2xx']
  if (n === 0) throw new Error(`${requests[0].path}: no answer (${JSON.stringify(result.statusCodeStats)})`)
  return {
    perSecond: Math.round(n / result.duration),
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.errors + result.timeouts + result.non2xx,
    serverMs: round((1000 * (sum(processes, ({ pid }) => processorTime(pid)) - before.server)) / n, 3),
    ...(times && { databaseMs: round((1000 * (times() - before.database)) / n, 3) }),
  }
}

/** Warms up compiled code and prepared statements, as in a server that has run for weeks. */
async function warmUp(servers, asked, connections) {
  let last = Number.POSITIVE_INFINITY
  for (let i = 0; i < MAX_WARM_UPS; i += 1) {
    const { serverMs } = await load(servers, asked(), { connections, seconds: WARM_UP })
    if (serverMs > last * WARM) return
    last = serverMs
  }
}

const sum = (list, value) => list.reduce((total, one) => total + value(one), 0)

/** The run with the median rate. */
const median = (runs) => [...runs].sort((a, b) => a.perSecond - b.perSecond)[Math.floor((runs.length - 1) / 2)]

/**
 * Reads each call in turn with its baseline: rows of a user from as many baseline servers, answers that are the same for
 * everybody beside the cached list of games. Interleaved, because what else the machine does changes within a minute.
 * @param settings `connections` in all, `seconds` of a run, `rounds` of which the median counts, `only` these calls
 * @param {(line: string) => void} [say] reports each call as soon as it is measured
 */
export async function measureReads(databaseUrl, servers, settings, say) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const baselines = await Promise.all(servers.map(() => startBaseline(databaseUrl)))
  const { rows, remove } = await sampleOf(client)
  const times = await databaseTime(client)
  const askedBaseline = (read) => rows.map((row) => ({ method: 'GET', path: read.baseline(row) }))
  const results = []
  try {
    for (const read of reads.filter(({ name }) => !settings.only || settings.only.includes(name))) {
      /** @type {Record<'ours' | 'baseline', Awaited<ReturnType<typeof load>>[]>} */
      const runs = { ours: [], baseline: [] }
      const asked = () => (read.user ? rows.map((row) => signed(read, row)) : [signed(read)])
      await warmUp(servers, asked, settings.connections)
      for (let i = 0; i < settings.rounds; i += 1) {
        runs.ours.push(await load(servers, asked(), settings, times))
        if (read.baseline) runs.baseline.push(await load(baselines, askedBaseline(read), settings, times))
        else if (read !== CACHED) runs.baseline.push(await load(servers, [signed(CACHED)], settings, times))
      }
      const [ours, baseline] = [median(runs.ours), median(runs.baseline)]
      const compared = baseline && { baseline, ratio: round(ours.perSecond / baseline.perSecond) }
      results.push({ name: read.name, ...ours, ...compared })
      say?.(JSON.stringify(results.at(-1)))
    }
  } finally {
    await remove()
    await Promise.all(baselines.map(({ stop }) => stop()))
    await client.end()
  }
  return results
}

/** A separate database with a few rows, filled by the compiled server. @throws Error when it was not filled */
export async function ownDatabase() {
  const cluster = await startCluster()
  const databaseUrl = await cluster.createDatabase('load')
  const args = ['dist/server/load-fill.js', '--users', '2000', '--orders', '10000', '--reports', '9500']
  const fill = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'test' },
  })
  const code = await new Promise((resolve) => fill.once('close', resolve))
  if (code !== 0) throw new Error('没有写入测试数据。')
  return { databaseUrl, stop: () => cluster.stop() }
}

/** Processor seconds of the database in `seconds` without requests; undefined if it runs on another machine. */
export async function measureIdle(databaseUrl, seconds) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const times = await databaseTime(client)
    if (!times) return undefined
    const before = times()
    await delay(seconds * 1000)
    return round(times() - before)
  } finally {
    await client.end()
  }
}

/** nice value and heap (MB) of a training, as server/jobs/training.ts gives them */
const TRAINING = { niceness: 19, heap: 900 }

/** Trains the game with the most sales once, in the server's own child process. */
async function trainOnce(client) {
  const { rows } = await client.query(`select g.game_id as "gameId", g.config from games g join sales s using (game_id)
    group by 1, 2 order by count(*) desc, 1 limit 1`)
  const [{ gameId, config }] = rows
  const sales = await client.query(
    `select id::text, game_id as "gameId", kind, price_fen::int as "priceFen", at, attributes from sales where game_id = $1`,
    [gameId],
  )
  const child = fork(path.join(process.env.SERVER_BUNDLE ?? 'dist/server', 'train-child.js'), {
    execArgv: [`--max-old-space-size=${TRAINING.heap}`],
    serialization: 'advanced',
  })
  os.setPriority(child.pid ?? 0, TRAINING.niceness)
  child.send(sales.rows.map((sale) => ({ ...sale, at: Number(sale.at) })))
  child.send({ config, now: Date.now(), want: 'both' })
  const learned = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code, signal) => reject(new Error(`the training ended with ${signal ?? code}`)))
  })
  child.kill('SIGKILL')
  return learned
}

/** requests/s and connections that keep the servers partly idle, because p99 under full load only measures the queue */
const CALM = { rate: 100, connections: 8 }

/**
 * p50 and p99 (ms) of `report/get` at a constant rate, without and during trainings as the server starts them, in turns.
 * @param settings `seconds` of a run, `rounds` of which the median counts
 */
export async function measureTraining(databaseUrl, webs, { seconds, rounds }) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows, remove } = await sampleOf(client)
  const read = readOf('report/get')
  const ask = async () => {
    const requests = rows.map((row) => signed(read, row))
    const { rate: overallRate, connections } = CALM
    const options = { url: webs.map(({ url }) => url), connections, duration: seconds, overallRate, requests }
    const { latency, errors, non2xx } = await autocannon(options)
    return { p50: latency.p50, p99: latency.p99, failed: errors + non2xx }
  }
  /** @type {Record<'idle' | 'training', { p50: number, p99: number, failed: number }[]>} */
  const runs = { idle: [], training: [] }
  try {
    await ask()
    for (let i = 0; i < rounds; i += 1) {
      runs.idle.push(await ask())
      let asking = true
      const trainAgain = async () => {
        while (asking) await trainOnce(client)
      }
      const trained = trainAgain()
      runs.training.push(await ask())
      asking = false
      await trained
    }
  } finally {
    await remove()
    await client.end()
  }
  const middle = (list) => [...list].sort((a, b) => a.p99 - b.p99)[Math.floor((list.length - 1) / 2)]
  const [quiet, training] = [middle(runs.idle), middle(runs.training)]
  return { ...CALM, idle: quiet, training, ratio: round(training.p99 / quiet.p99) }
}

/**
 * `user/get` with `connections` and with twenty times as many clients, which wait when they are refused.
 * @returns p50 and p99 (ms) of the accepted calls
 */
export async function measureOverload(databaseUrl, webs, { connections, seconds }) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows, remove } = await sampleOf(client)
  const { path: url, headers } = signed(readOf('user/get'), rows[0])
  const ask = (clients) => loadFrom(clients, { urls: webs.map((web) => web.url), path: url, headers, seconds })
  try {
    await ask(connections)
    return { clients: [connections, 20 * connections], best: await ask(connections), over: await ask(20 * connections) }
  } finally {
    await remove()
    await client.end()
  }
}

/** Row counts of the large tables, and the machine. */
export async function describe(databaseUrl) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client.query(`select (select count(*)::int from users) as users,
    (select count(*)::int from orders) as orders, (select count(*)::int from reports) as reports,
    current_setting('server_version') as postgres`)
  await client.end()
  return { ...rows[0], node: process.versions.node, processors: `${os.cpus().length} × ${os.cpus()[0]?.model ?? ''}` }
}
