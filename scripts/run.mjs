/** Runs one of the server's command-line tools, compiled, or a script: `node scripts/run.mjs server/cli/x.ts …args`. */
import path from 'node:path'
import { build } from './build.mjs'
import { ensureInstalled, isBuilt, startCompiled, startTs } from './lib.mjs'

await ensureInstalled()
const [file, ...args] = process.argv.slice(2)
const isTool = file.startsWith('server/cli/')
if (isTool && !isBuilt('server') && !(await build('server'))) process.exit(1)
const child = isTool ? startCompiled(path.basename(file, '.ts'), args) : startTs([file, ...args])
child.on('close', (code) => process.exit(code ?? 1))
