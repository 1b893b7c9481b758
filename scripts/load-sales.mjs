/**
 * `npm run load:sales -- --json`: imports 100,000 sales of one game into its own PostgreSQL and trains on them, while a
 * server answers valuations at a steady rate. Prints the time and the peak memory of the import and of the training,
 * and the p50 and p99 of the valuations without either, during the import and during the training. Exit code 1 when a
 * target of docs/scale.md is missed. Options: --sales, --game, --rate (valuations a second), --idle (seconds).
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createWriteStream, readdirSync, readFileSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { generateSales } from '../server/fixtures/synthetic/generate.ts'
import { startCluster } from '../server/test/postgres.ts'
import { tempFolder } from '../server/test/temp.ts'
import { calls } from '../src/contract/calls.ts'
import { sign } from '../src/contract/sign.ts'
import { build } from './build.mjs'
import { fail, isBuilt, root, say } from './lib.mjs'
import { startServer } from './load.mjs'

const SECRET = 'load-sign-secret'
/** sales that the first model learns from */
const FIRST = 600
/** valuations a minute that a user may ask for */
const PER_USER = 30
const POLL_MS = 50
const TARGETS = { importSeconds: 60, trainingSeconds: 300, trainingMb: 1024, p99Ratio: 2 }

const number = (fallback) => ({ type: /** @type {const} */ ('string'), default: String(fallback) })
const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    game: { type: 'string', default: 'lolm' },
    ...{ sales: number(100_000), rate: number(20), idle: number(20) },
  },
})
const [sales, rate, idle] = ['sales', 'rate', 'idle'].map((name) => {
  const n = Number(values[name])
  return Number.isInteger(n) && n > 0 ? n : fail(`--${name} 应为正整数，收到 ${values[name]}。`)
})
const note = values.json ? () => undefined : say

const round = (value, digits = 1) => Math.round(value * 10 ** digits) / 10 ** digits
const quantile = (list, q) => [...list].sort((a, b) => a - b)[Math.floor(list.length * q)] ?? 0

/** Writes sales of a market to a file; the partner's sales differ from those the first model was trained on. */
async function writeSales(file, config, { from, n, source }) {
  const out = createWriteStream(file)
  let i = 0
  for (const sale of generateSales(config, { n: from + n, until: Date.now() })) {
    i += 1
    if (i <= from) continue
    if (!out.write(`${JSON.stringify({ ...sale, source })}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
}

const statusOf = (pid) => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8')
  } catch {
    return ''
  }
}
const kbIn = (status, name) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1] ?? 0)
const childrenOf = (pid) =>
  readdirSync('/proc').filter((name) => /^\d+$/.test(name) && new RegExp(`PPid:\\s+${pid}\\n`).test(statusOf(name)))

/**
 * Runs a tool and watches its memory.
 * @returns seconds; MB after a tenth of the time and at the end, the peak, and the peak of a child process
 */
async function runTool(name, args, env) {
  const child = spawn(process.execPath, [path.join('dist/server', `${name}.js`), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (words += chunk))
  const started = performance.now()
  const seen = []
  let [peak, childPeak, childFrom, childUntil] = [0, 0, 0, 0]
  const timer = setInterval(() => {
    const status = statusOf(child.pid)
    seen.push(kbIn(status, 'VmRSS'))
    peak = Math.max(peak, kbIn(status, 'VmHWM'))
    if (seen.length % 4 !== 0) return
    for (const pid of childrenOf(child.pid)) {
      childFrom ||= performance.now()
      childUntil = performance.now()
      childPeak = Math.max(childPeak, kbIn(statusOf(pid), 'VmHWM'))
    }
  }, POLL_MS)
  const [code] = await once(child, 'close')
  clearInterval(timer)
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${words.slice(-1000)}`)
  const mb = (kb) => Math.round((kb ?? 0) / 1024)
  return {
    words,
    seconds: round((performance.now() - started) / 1000),
    peakMb: mb(peak),
    earlyMb: mb(Math.max(...seen.slice(0, Math.ceil(seen.length / 5)))),
    lateMb: mb(Math.max(...seen.slice(-Math.ceil(seen.length / 5)))),
    ...(childPeak > 0 && { childPeakMb: mb(childPeak), childSeconds: round((childUntil - childFrom) / 1000) }),
  }
}

/** Logs in enough users for `rate` valuations a second within their limits. @returns their tokens */
async function logIn(client, n) {
  const tokens = Array.from({ length: n }, (_, i) => createHash('sha256').update(`load ${i}`).digest('base64url'))
  const now = Date.now()
  for (const [i, token] of tokens.entries()) {
    const hash = createHash('sha256').update(token).digest('hex')
    await client.query(
      `insert into users (id, mobile, nickname, avatar, settings, created_at) values ($1, $2, '', '', '{}', $3)`,
      [`load-${i}`, String(19_000_000_000 + i), now],
    )
    await client.query(
      `insert into sessions (token_hash, id, user_id, device, created_at, seen_at, expires_at)
       values ($1, $2, $3, 'load', $4, $4, $5)`,
      [hash, `load-${i}`, `load-${i}`, now, now + 86_400_000],
    )
  }
  return tokens
}

/** Sends valuations at a steady rate, whether or not earlier ones were answered, until `during` settles. */
async function measure(url, { tokens, bodies }, during) {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 })
  const times = []
  let [failed, sent] = [0, 0]
  const open = new Set()
  const one = () => {
    const body = bodies[sent % bodies.length]
    const token = tokens[sent % tokens.length]
    sent += 1
    const timestamp = String(Date.now())
    const headers = {
      ...{ 'content-type': 'application/json', version: '2.0.4', platform: 'h5', os: 'other', token },
      ...{ timestamp, random: '042137', sign: sign({ canonical: body, timestamp, random: '042137', secret: SECRET }) },
    }
    const started = performance.now()
    /** @type {Promise<void>} */
    const done = new Promise((resolve) => {
      const req = request(url + calls.pricePreview.preview.path, { agent, method: 'POST', headers }, (answer) => {
        let text = ''
        answer.on('data', (chunk) => (text += chunk))
        answer.once('end', () => {
          if (answer.statusCode === 200 && text.includes('"lowFen"')) times.push(performance.now() - started)
          else {
            failed += 1
            if (failed === 1) console.error(`✗ ${answer.statusCode} ${text.slice(0, 200)}`)
          }
          resolve()
        })
      })
      req.once('error', () => {
        failed += 1
        resolve()
      })
      req.end(body)
    })
    open.add(done)
    void done.then(() => open.delete(done))
  }
  const timer = setInterval(one, 1000 / rate)
  const result = await during.finally(() => clearInterval(timer))
  await Promise.all(open)
  agent.destroy()
  return {
    result,
    times: { n: times.length, failed, p50: round(quantile(times, 0.5)), p99: round(quantile(times, 0.99)) },
  }
}

if (!isBuilt('server') && !(await build('server'))) process.exit(1)
const config = JSON.parse(readFileSync(path.join(root, 'server/fixtures/games', `${values.game}.json`), 'utf8'))
const folder = tempFolder('load-sales-')
const cluster = await startCluster()
let server
try {
  const env = { DATABASE_URL: await cluster.createDatabase('sales'), NODE_ENV: 'test' }
  const [first, many, few] = ['first', 'many', 'few'].map((name) => path.join(folder, `${name}.ndjson`))
  note('writing the sales')
  await writeSales(first, config, { from: 0, n: FIRST, source: 'first' })
  await writeSales(many, config, { from: FIRST, n: sales, source: 'many' })
  await writeSales(few, config, { from: FIRST + sales, n: 40, source: 'few' })
  note('training the first model')
  await runTool('sales-import', [first], env)
  server = await startServer(env.DATABASE_URL, 'web', { NODE_ENV: 'test', SANDBOX: '1' })
  const client = new pg.Client({ connectionString: env.DATABASE_URL })
  await client.connect()
  const tokens = await logIn(client, Math.ceil((4 * 60 * rate) / PER_USER))
  const bodies = [...generateSales(config, { n: 50, until: Date.now(), seed: 1 })].map(({ attributes }) =>
    JSON.stringify({ gameId: config.gameId, schemaVersion: config.schemaVersion, answers: attributes }),
  )
  const asked = { tokens, bodies }
  await measure(server.url, asked, delay(5_000))
  note('valuations alone')
  const quiet = await measure(server.url, asked, delay(1000 * idle))
  note(`importing ${sales} sales`)
  const imported = await measure(server.url, asked, runTool('sales-import', [many, '--no-train'], env))
  note('training on them')
  const trained = await measure(server.url, asked, runTool('sales-import', [few], env))
  const { rows } = await client.query(
    `select count(*)::int as sales, (select sample_n from models m where m.active and m.game_id = $1) as used
      from sales where game_id = $1`,
    [config.gameId],
  )
  await client.end()
  const { words: _, ...imports } = imported.result
  const { words, ...trains } = trained.result
  const result = {
    game: config.gameId,
    ...rows[0],
    import: { ...imports, ratio: round(imported.times.p99 / quiet.times.p99, 2) },
    training: {
      ...trains,
      ratio: round(trained.times.p99 / quiet.times.p99, 2),
      said: words
        .trim()
        .split('\n')
        .findLast((line) => !line.startsWith('{')),
    },
    valuations: { rate, idle: quiet.times, import: imported.times, training: trained.times },
  }
  const missed = [
    imports.seconds > TARGETS.importSeconds && 'import',
    imported.times.p99 > TARGETS.p99Ratio * quiet.times.p99 && 'p99 during the import',
    trains.seconds > TARGETS.trainingSeconds && 'training',
    trains.childPeakMb > TARGETS.trainingMb && 'memory of the training',
    quiet.times.failed + imported.times.failed + trained.times.failed > 0 && 'failed valuations',
  ].filter(Boolean)
  process.stdout.write(`${JSON.stringify({ ...result, missed }, undefined, values.json ? undefined : 2)}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  await server?.stop()
  cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
