/** Runs one of the server's command-line tools: `node scripts/run.mjs server/cli/x.ts …args`. */
import { spawn } from 'node:child_process'
import { bin, ensureInstalled, root } from './lib.mjs'

await ensureInstalled()
const child = spawn(bin('tsx'), ['--tsconfig', 'server/tsconfig.json', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
})
child.on('close', (code) => process.exit(code ?? 1))
