/**
 * `npm run load:run -- --json`: requests per second, p50, p99 and processor time of the product's reads with two web
 * processes and one worker, beside a baseline server of the same rows, on the PostgreSQL of DATABASE_URL (fill it with
 * `npm run load:fill`); without one on its own small database. Also the database's processor time while two
 * processes are idle, the time `report/get` takes while a model is trained, `user/get` under overload, and the deletion
 * of an account with many orders. Options: --seconds, --connections, --rounds, --idle (seconds, 0 = none), --settle
 * (seconds between a start and a measurement), --only (calls), --no-training. docs/scale.md has results.
 */
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { build } from './build.mjs'
import { fail, isBuilt, root, say } from './lib.mjs'
import {
  describe,
  measureIdle,
  measureOverload,
  measureReads,
  measureTraining,
  ownDatabase,
  startServer,
} from './load.mjs'
import { measureErasure } from './load-erasure.mjs'

const number = (fallback) => ({ type: /** @type {const} */ ('string'), default: String(fallback) })
const { values } = parseArgs({
  allowNegative: true,
  options: {
    json: { type: 'boolean', default: false },
    training: { type: 'boolean', default: true },
    only: { type: 'string' },
    ...{ seconds: number(5), connections: number(20), rounds: number(3), idle: number(60) },
    // until the initial work has ended: training of missing models, due rows
    settle: number(10),
  },
})
const names = ['seconds', 'connections', 'rounds', 'idle', 'settle']
const [seconds, connections, rounds, idle, settle] = names.map((name) => {
  const n = Number(values[name])
  return Number.isInteger(n) && n >= (name === 'idle' ? 0 : 1) ? n : fail(`--${name} 应为整数，收到 ${values[name]}。`)
})

async function idleCost(databaseUrl) {
  if (idle === 0) return undefined
  const two = await Promise.all([startServer(databaseUrl, 'all'), startServer(databaseUrl, 'all')])
  await delay(settle * 1000)
  const databaseSeconds = await measureIdle(databaseUrl, idle)
  await Promise.all(two.map(({ stop }) => stop()))
  return databaseSeconds === undefined ? undefined : { seconds: idle, processes: two.length, databaseSeconds }
}

function table(results) {
  const head = [
    'call',
    '/s',
    'p50 ms',
    'p99 ms',
    'server ms',
    'database ms',
    'baseline /s',
    'baseline server ms',
    'ratio',
  ]
  const lines = results.map(({ name, perSecond, p50, p99, serverMs, databaseMs, baseline, ratio }) => [
    ...[name, perSecond, p50, p99, serverMs, databaseMs],
    ...[baseline?.perSecond, baseline?.serverMs, ratio],
  ])
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.map((cell) => cell ?? '–').join(' | ')} |`)
    .join('\n')
}

if (!isBuilt('server') && !(await build('server'))) process.exit(1)
process.env.SERVER_BUNDLE = path.join(root, 'dist/server')
const given = process.env.DATABASE_URL
const { databaseUrl, stop } = given ? { databaseUrl: given, stop: () => undefined } : await ownDatabase()
const started = []
try {
  // in production a server waits until an operator has migrated the database
  const migrate = path.join(process.env.SERVER_BUNDLE, 'migrate.js')
  execFileSync(process.execPath, [migrate], { env: { ...process.env, DATABASE_URL: databaseUrl }, stdio: 'ignore' })
  const quiet = await idleCost(databaseUrl)
  for (const role of ['worker', 'web', 'web']) started.push(await startServer(databaseUrl, role))
  await delay(settle * 1000)
  const webs = started.slice(1)
  const calls = await measureReads(
    databaseUrl,
    webs,
    { connections, seconds, rounds, only: values.only?.split(',') },
    values.json ? undefined : say,
  )
  const training = values.training ? await measureTraining(databaseUrl, webs, { seconds, rounds }) : undefined
  const overload = await measureOverload(databaseUrl, webs, { connections, seconds })
  const erasure = await measureErasure(databaseUrl)
  const facts = { web: 2, worker: 1, connections, idle: quiet, training, overload, erasure, calls }
  const result = { ...(await describe(databaseUrl)), ...facts }
  const others = { idle: quiet, 'report/get while training': training, 'user/get under overload': overload, erasure }
  const lines = Object.entries(others).map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
  process.stdout.write(values.json ? `${JSON.stringify(result)}\n` : `${table(calls)}\n\n${lines.join('')}`)
} finally {
  await Promise.all(started.map((one) => one.stop()))
  stop()
}
process.exit(0)
