/**
 * `npm start`: installs missing packages, builds h5 and the server if outdated, and starts it. The first time the database
 * is filled while h5 is built.
 */
import { existsSync } from 'node:fs'
import path from 'node:path'
import { install, isBuilt, isInstalled, root, run, say, startCompiled } from './lib.mjs'
import { step } from './progress.mjs'

/** ms between checks whether npm is still running */
const POLL_INTERVAL_MS = 500

const { NODE_ENV, DATABASE_URL, DATA_DIR = 'data' } = process.env
/** In production, and with a PostgreSQL, the server waits for the database and says so. */
const isFilledFirst =
  NODE_ENV !== 'production' && !DATABASE_URL && !existsSync(path.resolve(root, DATA_DIR, 'postgres'))

/**
 * Runs a script as a step. @param {string} title @param {string[]} args of Node
 * @param {(line: string) => string} [detailOf] what a line of its output says about the progress
 */
const runStep = (title, args, detailOf) =>
  step(title, async (tell) => {
    const onLine = (line) => detailOf && tell(detailOf(line))
    return (await run('', process.execPath, args, { quiet: true, onLine })).code === 0
  })

if (!isInstalled()) {
  say('▸ 首次启动约需一分半钟，之后只需几秒')
  await step('安装依赖', () => install())
}
if (!isBuilt('server') && !(await runStep('构建服务端', ['scripts/build.mjs', 'server']))) process.exit(1)
if (!isBuilt('h5')) {
  const steps = [runStep('构建 h5', ['scripts/build.mjs', 'h5'])]
  const gameOf = (line) => line.replace(/^▸ |：.*/g, '')
  if (isFilledFirst) steps.push(runStep('准备游戏、成交与估价模型', ['dist/server/db-seed.js'], gameOf))
  if ((await Promise.all(steps)).includes(false)) process.exit(1)
}

// a process group of its own: the terminal and supervisors send their signals to the whole group of npm, and npm repeats some,
// but a second signal ends the server without finishing its requests. Its output is piped: Node crashes at its end when it writes to a
// terminal that was closed
const server = startCompiled('main', [], { detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
server.stdout?.pipe(process.stdout)
server.stderr?.pipe(process.stderr)
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)
let isStopping = false
/** @param {NodeJS.Signals} signal */
const stop = (signal) => {
  if (!isStopping) server.kill(signal)
  isStopping = true
}
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) process.on(signal, stop)
/** whether the terminal was closed, see above */
let isClosed = false
process.on('SIGHUP', () => {
  isClosed = true
})
// npm forwards signals to its shell, which exits without forwarding them to us
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'start')
  setInterval(() => process.ppid !== parent && stop('SIGTERM'), POLL_INTERVAL_MS).unref()
server.on('close', (code, signal) => {
  if (isClosed) process.kill(process.pid, 'SIGKILL')
  process.exit(code ?? (signal ? 1 : 0))
})
