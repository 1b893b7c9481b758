/** `npm run model:public`: exports the public price tables the first time, which needs R, then measures the engine on them. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root, run } from './lib.mjs'
import { ensureR } from './tools.mjs'

const folder = path.join(root, 'bench/public')
const tables = JSON.parse(readFileSync(path.join(folder, 'tables.json'), 'utf8'))
if (!tables.every(({ id }) => existsSync(path.join(folder, 'tables', `${id}.csv`)))) {
  await ensureR()
  const { code } = await run('取出公开价格表', 'Rscript', [path.join(folder, 'export.R')], { quiet: true })
  if (code !== 0) process.exit(1)
}
// runs the tool that package.json names after this script
await import('./run.mjs')
