/** Runs one of the server's command-line tools: `node scripts/run.mjs server/cli/x.ts …args`. */
import { ensureInstalled, startTs } from './lib.mjs'

await ensureInstalled()
startTs(process.argv.slice(2)).on('close', (code) => process.exit(code ?? 1))
