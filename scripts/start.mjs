/**
 * `npm start`: installs missing packages, builds h5 and the server if outdated, and starts it.
 */
import { build } from './build.mjs'
import { ensureInstalled, isBuilt, isInstalled, say, startCompiled } from './lib.mjs'

/** ms between checks whether npm is still running */
const POLL_INTERVAL_MS = 500

if (!isInstalled() || !isBuilt('h5'))
  say('▸ 首次启动约 3 分钟：安装依赖和构建各约 1 分钟，再建库并生成合成成交约半分钟；之后启动只需几秒')
await ensureInstalled()
if (!(await build('h5')) || !(await build('server'))) process.exit(1)
const server = startCompiled('main')
// the terminal sends Ctrl-C to the whole process group: the server shuts down on its own, and we only wait for it
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === 'SIGTERM' && server.kill(signal))
// npm forwards signals to its shell, which exits without forwarding them to us
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'start')
  setInterval(() => process.ppid !== parent && server.kill('SIGTERM'), POLL_INTERVAL_MS).unref()
server.on('close', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
