/** `npm start`: install what is missing, build h5 if stale, start the server (wire.md, "Commands"). */
import { spawn } from 'node:child_process'
import { build } from './build.mjs'
import { bin, ensureInstalled, root } from './lib.mjs'

await ensureInstalled()
if (!(await build('h5'))) process.exit(1)
const server = spawn(bin('tsx'), ['--tsconfig', 'server/tsconfig.json', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
})
// the terminal sends Ctrl-C to the whole group; the server says goodbye itself, we only wait for it
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => signal === 'SIGTERM' && server.kill(signal))
server.on('close', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
