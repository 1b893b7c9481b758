/** `npm run dev:h5|dev:weapp|dev:server`: watch modes. `dev:weapp -- --phone`: minified, small enough for a preview on a phone. */
import { spawn } from 'node:child_process'
import { bin, ensureInstalled, fail, root } from './lib.mjs'

const modes = {
  h5: [bin('taro'), ['build', '--type', 'h5', '--watch', '--no-check']],
  weapp: [bin('taro'), ['build', '--type', 'weapp', '--watch', '--no-check']],
  server: [bin('tsx'), ['watch', '--tsconfig', 'server/tsconfig.json', 'server/main.ts']],
}
const mode = modes[process.argv[2]]
if (!mode) fail('用法：npm run dev:h5 | dev:weapp | dev:server')
await ensureInstalled()
// watch mode restarts the server by SIGTERM at every change; without a load balancer it need not drain first
const env = { DRAIN_SECONDS: '0', ...process.env, ...(process.argv.includes('--phone') && { NODE_ENV: 'production' }) }
const child = spawn(mode[0], mode[1], { cwd: root, stdio: 'inherit', env })
child.on('close', (code) => process.exit(code ?? 1))
