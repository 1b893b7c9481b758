/** `npm test`: everything. Prints one closing line `N passed, N failed, N skipped`. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { check } from './check.mjs'
import { ensureInstalled, root, run, say } from './lib.mjs'
import { ensureTools } from './tools.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }
/** Names of journeys that passed only when they were run once more: said at the end, to be looked into. */
const shaky = []
/** More than this many files do not fail by chance. */
const FEW = 2

/** Runs jest and returns what it wrote; undefined where it did not come to writing. */
async function once(title, projects, { env = {}, args = [] }) {
  const file = path.join(root, '.cache', 'jest-result.json')
  rmSync(file, { force: true })
  const command = ['node_modules/jest/bin/jest.js', '--selectProjects', ...projects, '--json', `--outputFile=${file}`]
  const { code } = await run(title, process.execPath, [...command, '--silent=false', ...args], { env })
  if (!existsSync(file)) return undefined
  const r = JSON.parse(readFileSync(file, 'utf8'))
  const failed = r.numFailedTests + r.numRuntimeErrorTestSuites
  return {
    passed: r.numPassedTests,
    skipped: r.numPendingTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    files: r.testResults.filter((one) => one.status === 'failed'),
  }
}

/**
 * One part of the tests. `again`: screens and journeys are timed by a browser on a busy machine, so a file that failed is
 * run once more from its beginning, with a server of its own. The server's tests never are: what races there is a fault.
 */
async function jest(title, projects, { again = false, ...options } = {}) {
  const first = await once(title, projects, options)
  if (!first) {
    total.failed += 1
    return
  }
  total.passed += first.passed
  total.skipped += first.skipped
  total.failed += first.failed
  if (!again || first.files.length === 0 || first.files.length > FEW) return
  const names = first.files.map(({ name }) => name)
  const args = ['--runInBand', '--runTestsByPath', ...names]
  const second = await once(`再跑一次：${names.map((name) => path.basename(name)).join('、')}`, projects, { args })
  if (!second || second.failed > 0) return
  for (const { name, assertionResults } of first.files) {
    const red = assertionResults.filter(({ status }) => status === 'failed')
    shaky.push(`${path.basename(name)}：${red.map(({ fullName }) => fullName).join('；')}`)
  }
  total.passed += first.failed
  total.failed -= first.failed
}

await ensureInstalled()
await ensureTools()
const broken = await check()
total.failed += broken.length
await build('h5')
await build('weapp')
await jest('单元与界面（h5、weapp）', ['h5', 'weapp'], { args: ['--maxWorkers=2'], again: true })
await jest('合同、服务端（PGlite）', ['server'], { args: ['--maxWorkers=2'] })
await jest('服务端（PostgreSQL）', ['server'], {
  env: { TEST_DATABASE: 'postgres' },
  args: ['--maxWorkers=2', 'server/test'],
})
await jest('旅程：真实 Chromium 与真实服务器', ['e2e'], { args: ['--runInBand'], again: true })
await jest('小程序：启动构建产物并操作', ['weapp-run'], { args: ['--runInBand'], again: true })
const { code: benchCode } = await run('字节预算', process.execPath, ['scripts/run.mjs', 'scripts/bench.mjs', '--bytes'])
if (benchCode !== 0) total.failed += 1
if (broken.length > 0) say(`✗ 静态检查未通过：${broken.join('、')}`)
for (const name of shaky) say(`⚠ 第二次才通过：${name}`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed > 0 ? 1 : 0)
