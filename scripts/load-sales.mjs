/**
 * `npm run load:sales -- --json`: imports 100,000 sales of one game into its own PostgreSQL and trains on them, while a
 * server answers valuations at a steady rate. Prints the seconds of the import and of the training, and the p50
 * and p99 of the valuations without either and during each. Exit code 1 when a target of docs/scale.md is missed.
 * Option: --sales.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import autocannon from 'autocannon'
import pg from 'pg'
import { generateSales } from '../server/fixtures/synthetic/generate.ts'
import { startCluster } from '../server/test/postgres.ts'
import { tempFolder } from '../server/test/temp.ts'
import { calls } from '../src/contract/calls.ts'
import { build } from './build.mjs'
import { root, say } from './lib.mjs'
import { logIn, round, signed, startServer } from './load.mjs'

/** sales that the first model learns from, and those of the last import, which trains */
const [FIRST, LAST] = [600, 40]
/** game; valuations a second; seconds without import and training */
const [GAME, RATE, ALONE] = ['lolm', 20, 20]
const TARGETS = { importSeconds: 60, trainingSeconds: 300, p99Ratio: 2 }

const { values } = parseArgs({ options: { json: { type: 'boolean' }, sales: { type: 'string', default: '100000' } } })
const sales = Number(values.sales)

/** Writes sales of one market to files, one after the other: the later ones differ from those of the first model. */
function writeSales(folder, config, amounts) {
  const all = generateSales(config, { n: amounts.reduce((sum, n) => sum + n, 0), until: Date.now() })
  return amounts.map((n, i) => {
    const file = path.join(folder, `${i}.ndjson`)
    const lines = Array.from({ length: n }, () => JSON.stringify({ ...all.next().value, source: `load ${i}` }))
    writeFileSync(file, lines.join('\n'))
    return file
  })
}

/** Imports a file. @returns seconds */
async function importSales(args, env) {
  const child = spawn(process.execPath, ['dist/server/sales-import.js', ...args], {
    cwd: root,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const started = performance.now()
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`sales-import ended with ${code}`)
  return round((performance.now() - started) / 1000, 1)
}

if (!(await build('server'))) process.exit(1)
const config = JSON.parse(readFileSync(path.join(root, 'server/fixtures/games', `${GAME}.json`), 'utf8'))
const folder = tempFolder('load-sales-')
const cluster = await startCluster()
const databaseUrl = await cluster.createDatabase('sales')
const env = { ...process.env, DATABASE_URL: databaseUrl, NODE_ENV: 'test' }
const client = new pg.Client({ connectionString: databaseUrl })
let server
try {
  const [first, many, last] = writeSales(folder, config, [FIRST, sales, LAST])
  say('training the first model')
  await importSales([first], env)
  server = await startServer(databaseUrl, 'web', { NODE_ENV: 'test' })
  await client.connect()
  const { rows: users } = await client.query(
    `insert into users (id, mobile, nickname, avatar, settings, created_at)
     select 'load-' || n, (19000000000 + n)::text, '', '', '{}', 0 from generate_series(1, $1::int) n returning id as "userId"`,
    // a user may ask for thirty valuations a minute
    [8 * RATE],
  )
  const loggedIn = await logIn(client, users)
  const { gameId, schemaVersion } = config
  const accounts = [...generateSales(config, { n: 50, until: Date.now(), seed: 1 })].map((sale) => sale.attributes)

  let sent = 0
  const setupRequest = (request) => {
    sent += 1
    const params = { gameId, schemaVersion, answers: accounts[sent % accounts.length] }
    return { ...request, ...signed(calls.pricePreview.preview, params, loggedIn[sent % loggedIn.length].token) }
  }
  /** Valuations at a steady rate until `work` settles. @returns p50 and p99 (ms) beside the result of the work */
  async function during(work) {
    const verifyBody = (body) => String(body).includes('"lowFen"')
    const load = { url: server.url, connections: 10, overallRate: RATE, duration: 3600, verifyBody }
    const instance = autocannon({ ...load, requests: [{ setupRequest }] })
    const result = await work
    instance.stop()
    const { latency, requests, errors, non2xx, mismatches } = await instance
    const failed = errors + non2xx + mismatches
    return { result, valuations: { n: requests.total, failed, p50: latency.p50, p99: latency.p99 } }
  }

  await during(delay(5_000))
  say('valuations alone')
  const quiet = await during(delay(1000 * ALONE))
  say(`importing ${sales} sales`)
  const imported = await during(importSales([many, '--no-train'], env))
  say('training on them')
  const trained = await during(importSales([last], env))
  const result = {
    ...{ game: gameId, sales, rate: RATE, idle: quiet.valuations },
    import: { seconds: imported.result, ...imported.valuations },
    training: { seconds: trained.result, ...trained.valuations },
  }
  const missed = [
    imported.result > TARGETS.importSeconds && 'import',
    imported.valuations.p99 > TARGETS.p99Ratio * quiet.valuations.p99 && 'p99 during the import',
    trained.result > TARGETS.trainingSeconds && 'training',
    quiet.valuations.failed + imported.valuations.failed + trained.valuations.failed > 0 && 'failed valuations',
  ].filter(Boolean)
  process.stdout.write(`${JSON.stringify({ ...result, missed }, undefined, values.json ? undefined : 2)}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
} finally {
  await client.end()
  await server?.stop()
  cluster.stop()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()
