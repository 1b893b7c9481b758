/** `npm test`: everything. Prints one closing line `N passed, N failed, N skipped`. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { check } from './check.mjs'
import { ensureInstalled, root, run, say } from './lib.mjs'
import { ensureTools } from './tools.mjs'

const total = { passed: 0, failed: 0, skipped: 0 }

async function jest(title, projects, { env = {}, args = [] } = {}) {
  const file = path.join(root, '.cache', 'jest-result.json')
  rmSync(file, { force: true })
  const { code } = await run(
    title,
    process.execPath,
    [
      'node_modules/jest/bin/jest.js',
      '--selectProjects',
      ...projects,
      '--json',
      `--outputFile=${file}`,
      '--silent=false',
      ...args,
    ],
    { env },
  )
  if (!existsSync(file)) {
    total.failed += 1
    return
  }
  const r = JSON.parse(readFileSync(file, 'utf8'))
  total.passed += r.numPassedTests
  total.skipped += r.numPendingTests
  total.failed += r.numFailedTests + r.numRuntimeErrorTestSuites
  if (code !== 0 && r.numFailedTests + r.numRuntimeErrorTestSuites === 0) total.failed += 1
}

await ensureInstalled()
await ensureTools()
const broken = await check()
total.failed += broken.length
await build('h5')
await build('weapp')
await jest('单元与界面（h5、weapp）、合同、服务端（PGlite）', ['h5', 'weapp', 'server'], { args: ['--maxWorkers=2'] })
await jest('服务端（PostgreSQL）', ['server'], {
  env: { TEST_DATABASE: 'postgres' },
  args: ['--maxWorkers=2', 'server/test'],
})
await jest('旅程：真实 Chromium 与真实服务器', ['e2e'], { args: ['--runInBand'] })
await jest('小程序：启动构建产物并操作', ['weapp-run'], { args: ['--runInBand'] })
const { code: benchCode } = await run('字节预算', process.execPath, ['scripts/run.mjs', 'scripts/bench.mjs', '--bytes'])
if (benchCode !== 0) total.failed += 1
if (broken.length > 0) say(`✗ 静态检查未通过：${broken.join('、')}`)
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`)
process.exit(total.failed > 0 ? 1 : 0)
