/** `npm run check`: the fast static part of `npm test`. */
import path from 'node:path'
import { bin, ensureInstalled, root, run, say } from './lib.mjs'
import { schedule } from './schedule.mjs'

/** Which of a port's files is taken depends on the platform; the server has none, so one run of it is enough. */
const depcruise = (platform) => [
  `方向 ${platform}`,
  bin('depcruise'),
  ['--config', '.dependency-cruiser.cjs', 'src', ...(platform === 'h5' ? ['server'] : [])],
  { CRUISE_PLATFORM: platform },
]

/** By the native compiler, in a tenth of the time; editors and tools go on with TypeScript 5, whose API it does not have. */
const types = (name, project) => [`类型 ${name}`, path.join(root, 'node_modules/typescript7/bin/tsc'), ['-p', project]]

/** The longest first: nothing waits for a late start. */
const commands = [
  types('server', 'server/tsconfig.json'),
  types('h5', 'tsconfig.json'),
  types('weapp', 'tsconfig.weapp.json'),
  types('journeys', 'test/tsconfig.json'),
  ['格式与规则 biome', bin('biome'), ['check', '--error-on-warnings', '.']],
  depcruise('h5'),
  depcruise('weapp'),
  ['无用代码 knip', bin('knip'), ['--no-progress']],
]

/** The static checks as steps of the scheduler. */
export const checkSteps = commands.map(([name, command, args, env = {}]) => ({
  name,
  async run() {
    const { code, out } = await run('', command, args, { quiet: true, env })
    say(`  ${code === 0 ? '✓' : '✗'} ${name}`)
    if (code !== 0 && out.trim() === '') say('    （没有输出）')
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
