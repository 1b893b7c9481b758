/** `npm run check`: the fast static part of `npm test`, and an honest list of what is still to come. */
import { bin, ensureInstalled, run, say } from './lib.mjs'
import { schedule } from './schedule.mjs'

const depcruise = (platform) => [
  `方向 ${platform}`,
  bin('depcruise'),
  ['--config', '.dependency-cruiser.cjs', 'src', 'server'],
  { CRUISE_PLATFORM: platform },
]

const commands = [
  ['类型 h5', bin('tsc'), ['-p', 'tsconfig.json']],
  ['类型 weapp', bin('tsc'), ['-p', 'tsconfig.weapp.json']],
  ['类型 server', bin('tsc'), ['-p', 'server/tsconfig.json']],
  ['类型 journeys', bin('tsc'), ['-p', 'test/tsconfig.json']],
  ['格式与规则 biome', bin('biome'), ['check', '--error-on-warnings', '.']],
  depcruise('h5'),
  depcruise('weapp'),
  ['无用代码 knip', bin('knip'), ['--no-progress']],
]

const remaining = ['待开放的接口与页面', bin('tsx'), ['--tsconfig', 'server/tsconfig.json', 'scripts/remaining.ts']]

/** The static checks as steps of the scheduler. */
export const checkSteps = [...commands, remaining].map(([name, command, args, env = {}]) => ({
  name,
  async run() {
    const { code, out } = await run('', command, args, { quiet: true, env })
    say(`  ${code === 0 ? '✓' : '✗'} ${name}`)
    if (code !== 0 && out.trim() === '') say('    （没有输出）')
    else if (code === 0 && command === remaining[1]) process.stderr.write(out)
    return code === 0
  },
}))

if (import.meta.url === `file://${process.argv[1]}`) {
  await ensureInstalled()
  say('▸ 静态检查')
  const failed = (await schedule(checkSteps)).filter(({ ok }) => !ok).map(({ name }) => name)
  if (failed.length > 0) say(`✗ 未通过：${failed.join('、')}`)
  process.exit(failed.length > 0 ? 1 : 0)
}
