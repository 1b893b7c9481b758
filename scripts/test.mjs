/**
 * `npm test` and `npm run test:…`: `node scripts/test.mjs [tier] [jest options]`. Prints the duration of each part, the
 * slowest files and a last line `N passed, N failed, N skipped`.
 */
import { ensureInstalled, fail, say } from './lib.mjs'
import { runs } from './run-jest.mjs'
import { schedule } from './schedule.mjs'
import { tiers } from './tiers.mjs'
import { ensureTools } from './tools.mjs'

const SLOWEST = 10
const seconds = (ms) => `${(ms / 1000).toFixed(1).padStart(7)} s`

const [tier = 'all', ...args] = process.argv.slice(2)
if (!tiers[tier]) fail(`不认识的测试 ${tier}，可用：${Object.keys(tiers).join(' ')}。`)
await ensureInstalled()
if (!['unit', 'screens', 'changed'].includes(tier)) await ensureTools()

const started = Date.now()
const results = await schedule(tiers[tier](), args)

say('\n▸ 各部分用时')
for (const { name, ok, ms } of results) say(`  ${ok ? '✓' : '✗'} ${seconds(ms)}  ${name}`)
say(`    ${seconds(Date.now() - started)}  合计`)
const files = runs.flatMap((run) => run.files.map((one) => ({ ...one, run: run.name })))
if (files.length > 1) {
  say(`▸ 最慢的 ${Math.min(SLOWEST, files.length)} 个文件`)
  for (const { ms, project, file, run } of files.sort((a, b) => b.ms - a.ms).slice(0, SLOWEST))
    say(`    ${seconds(ms)}  ${file}（${run === project ? project : `${project}，${run}`}）`)
}

const sum = (key) => runs.reduce((total, run) => total + run[key], 0)
// a failed step without tests counts as one failure, and so do tests skipped because a required step failed
const ran = new Set(runs.map(({ name }) => name))
const failed = sum('failed') + results.filter(({ name, ok }) => !ok && !ran.has(name)).length
process.stdout.write(`\n${sum('passed')} passed, ${failed} failed, ${sum('skipped')} skipped\n`)
process.exit(failed > 0 ? 1 : 0)
