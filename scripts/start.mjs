/** `npm start`: install what is missing, build h5 and the server if stale, start it (wire.md, "Commands"). */
import { build } from './build.mjs'
import { ensureInstalled, startCompiled } from './lib.mjs'

/** ms between two looks whether npm is still there */
const LOOK_EVERY = 500

await ensureInstalled()
if (!(await build('h5')) || !(await build('server'))) process.exit(1)
const server = startCompiled('main')
// the terminal sends Ctrl-C to the whole group; the server says goodbye itself, we only wait for it
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === 'SIGTERM' && server.kill(signal))
// npm passes signals on to its shell, which ends without passing them on to us
const parent = process.ppid
if (process.env.npm_lifecycle_event === 'start')
  setInterval(() => process.ppid !== parent && server.kill('SIGTERM'), LOOK_EVERY).unref()
server.on('close', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
