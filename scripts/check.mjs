/** `npm run check`: the fast static part of `npm test`. */
import path from 'node:path'
import { bin, ensureInstalled, root, run, say } from './lib.mjs'
import { schedule } from './schedule.mjs'

/**
 * Runs once per platform, which determines the file used for a port; the server has no ports, so it is checked in one
 * run only.
 */
const depcruise = (platform) => ({
  name: `依赖方向 ${platform}`,
  command: bin('depcruise'),
  args: ['--config', '.dependency-cruiser.cjs', 'src', ...(platform === 'h5' ? ['server'] : [])],
  env: { CRUISE_PLATFORM: platform },
})

/**
 * The native compiler needs a tenth of the time; editors and tools stay on TypeScript 5, whose API it lacks. With more
 * than one checker each instantiates the types of the contract anew, which doubles the processor time.
 */
const types = (name, project) => ({
  name: `类型 ${name}`,
  command: path.join(root, 'node_modules/typescript7/bin/tsc'),
  args: ['-p', project, '--checkers', '1'],
})

/** Longest first, to minimise the total time. */
const commands = [
  types('server', 'server/tsconfig.json'),
  types('h5', 'tsconfig.json'),
  types('weapp', 'tsconfig.weapp.json'),
  types('e2e', 'test/tsconfig.json'),
  types('scripts', 'scripts/tsconfig.json'),
  { name: '格式与规则 biome', command: bin('biome'), args: ['check', '--error-on-warnings', '.'] },
  depcruise('h5'),
  depcruise('weapp'),
  { name: '无用代码 knip', command: bin('knip'), args: ['--no-progress'] },
  // no container engine is needed; the web server's ports are open to all on purpose
  { name: 'Dockerfile', command: bin('dockerfile-utils'), args: ['lint', 'Dockerfile'] },
  {
    name: 'compose.yml',
    command: bin('dclint'),
    args: ['compose.yml', '--quiet', '--disable-rule', 'no-unbound-port-interfaces'],
  },
]

/** The static checks as steps of the scheduler. */
export const checkSteps = commands.map(({ name, command, args, env = {} }) => ({
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
