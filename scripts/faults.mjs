/**
 * `npm run test:faults`: the fault suite (docs/faults.md) on PostgreSQL and then on the embedded database. `--
 * postgres` or `-- embedded` runs one of them; other arguments are passed to jest. Prints the measurements as one
 * Markdown table.
 */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import path from 'node:path'
import { ensureInstalled, root } from './lib.mjs'
import { runJest, runs } from './run-jest.mjs'
import { workers } from './schedule.mjs'

const folder = path.join(root, '.cache/faults')

const seconds = (ms) => (ms === undefined ? 'never' : `${(ms / 1000).toFixed(1)} s`)
const counts = (byKind) =>
  Object.entries(byKind)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([kind, n]) => `${kind} × ${n}`)
    .join(', ') || '–'

const columns = Object.entries({
  database: (f) => f.engine,
  fault: (f) => f.fault,
  requests: (f) => f.requests,
  failed: (f) => counts(f.errors),
  '95 % within': (f) => seconds(f.p95),
  slowest: (f) => seconds(f.slowest),
  exits: (f) => f.exits,
  acknowledged: (f) => f.acknowledged,
  lost: (f) => f.lost,
  'half-committed': (f) => f.halfCommitted,
  'other differences': (f) => f.others,
  '/readyz': (f) => counts(f.health.readyz),
  recovery: (f) => seconds(f.recovery),
})

/** Measurements of all faults that ran, as a Markdown table. */
function table() {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const all = (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => name.endsWith('.json'))
    .map((name) => JSON.parse(readFileSync(path.join(folder, name), 'utf8')))
    .sort((a, b) => a.engine.localeCompare(b.engine) || a.startedAt - b.startedAt)
  const heads = columns.map(([head]) => head)
  return [line(heads), line(heads.map(() => '---')), ...all.map((f) => line(columns.map(([, cell]) => cell(f))))].join(
    '\n',
  )
}

const machine = () => {
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `Node.js ${process.versions.node}, ${cpus().length} × ${cpus()[0]?.model ?? 'CPU'}, ${memory} GiB`
}

const given = process.argv.slice(2)
const engines = ['postgres', 'embedded'].filter((name) => given.includes(name))
const args = given.filter((arg) => !['postgres', 'embedded'].includes(arg))
await ensureInstalled()
rmSync(folder, { recursive: true, force: true })
for (const name of engines.length > 0 ? engines : ['postgres', 'embedded'])
  await runJest(`faults (${name})`, ['faults'], {
    args: [`--maxWorkers=${workers}`, ...args],
    env: { TEST_DATABASE: name },
  })
process.stdout.write(`\n${machine()}\n\n${table()}\n`)
const sum = (key) => runs.reduce((total, run) => total + run[key], 0)
process.stdout.write(`\n${sum('passed')} passed, ${sum('failed')} failed, ${sum('skipped')} skipped\n`)
process.exit(sum('failed') > 0 ? 1 : 0)
