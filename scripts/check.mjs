/** `npm run check`: the fast static part of `npm test`, and an honest list of what is still to come. */
import { bin, ensureInstalled, run, say } from './lib.mjs'

const depcruise = (platform) => [
  `方向 ${platform}`,
  bin('depcruise'),
  ['--config', '.dependency-cruiser.cjs', 'src', 'server'],
  { CRUISE_PLATFORM: platform },
]

const steps = [
  ['类型 h5', bin('tsc'), ['-p', 'tsconfig.json']],
  ['类型 weapp', bin('tsc'), ['-p', 'tsconfig.weapp.json']],
  ['类型 server', bin('tsc'), ['-p', 'server/tsconfig.json']],
  ['类型 journeys', bin('tsc'), ['-p', 'test/tsconfig.json']],
  ['格式与规则 biome', bin('biome'), ['check', '--error-on-warnings', '.']],
  depcruise('h5'),
  depcruise('weapp'),
  ['无用代码 knip', bin('knip'), ['--no-progress']],
]

/** Runs every step, two at a time, and reports all failures rather than the first. */
export async function check() {
  const queue = [...steps]
  const failed = []
  const worker = async () => {
    for (let s = queue.shift(); s; s = queue.shift()) {
      const { code, out } = await run('', s[1], s[2], { quiet: true, env: s[3] ?? {} })
      say(`  ${code === 0 ? '✓' : '✗'} ${s[0]}`)
      if (code !== 0) failed.push(s[0])
      if (code !== 0 && out.trim() === '') say('    （没有输出）')
    }
  }
  say('▸ 静态检查')
  await Promise.all([worker(), worker()])
  await run('', bin('tsx'), ['--tsconfig', 'server/tsconfig.json', 'scripts/remaining.ts'])
  return failed
}

if (import.meta.url === `file://${process.argv[1]}`) {
  await ensureInstalled()
  const failed = await check()
  if (failed.length > 0) say(`✗ 未通过：${failed.join('、')}`)
  process.exit(failed.length > 0 ? 1 : 0)
}
