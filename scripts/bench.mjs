/**
 * `npm run bench`: bytes of h5 and of the mini-program's packages, home on a slow phone, and frequent reads of the
 * server beside a bare one, each against bench/budgets.json; the figures go to bench/results.json. `--static` records
 * the static page that paints are compared with again.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { buildBundle } from '../server/test/bundle.ts'
import { prepareDatabases } from '../server/test/prepared.ts'
import { launch } from '../test/e2e/browser.ts'
import { kb, measureHomeVisit, measureScripts } from '../test/e2e/home-bytes.ts'
import { startServer } from '../test/fakes/server.ts'
import { homeOnSlowPhone } from './bench-home.mjs'
import { build } from './build.mjs'
import { root, say } from './lib.mjs'
import { measureReads, ownDatabase, startServer as startWeb } from './load.mjs'
import { ensureTools } from './tools.mjs'

const file = path.join(root, 'bench/results.json')
const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))

function weappPackages() {
  const dir = path.join(root, 'dist/weapp')
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((f) => !/LICENSE\.txt$|\.map$/.test(f))
  const sum = (names) => kb(names.reduce((bytes, name) => bytes + statSync(path.join(dir, name)).size, 0))
  const [pagesA, main] = [true, false].map((sub) => files.filter((name) => name.startsWith('pagesA/') === sub))
  return { mainKb: sum(main.filter((name) => statSync(path.join(dir, name)).isFile())), pagesAKb: sum(pagesA) }
}

/** Frequent reads of two web processes on PostgreSQL: their rate over that of a bare server. */
async function serverReads() {
  const { databaseUrl, stop } = await ownDatabase()
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const webs = await Promise.all(['web', 'web'].map((role) => startWeb(databaseUrl, role)))
  const calls = await measureReads(client, databaseUrl, webs, { connections: 20, seconds: 4, rounds: 3 })
  await Promise.all(webs.map((web) => web.stop()))
  await client.end()
  stop()
  return Object.fromEntries(calls.map(({ name, ratio }) => [name, ratio]))
}

/** Prints the budgets, except those of setData, which tests compare. @returns names of those that are exceeded */
function overBudget(results) {
  const over = []
  for (const [area, limits] of Object.entries(read('bench/budgets.json')))
    for (const [name, { max = Number.POSITIVE_INFINITY, min = 0 }] of Object.entries(limits)) {
      if (name.includes('SetData')) continue
      const value = results[area][name]
      const good = value >= min && value <= max
      say(`  ${good ? '✓' : '✗'} ${area}.${name} ${value} (${min} – ${max})`)
      if (!good) over.push(`${area}.${name}`)
    }
  return over
}

await ensureTools()
for (const target of ['h5', 'weapp', 'server']) if (!(await build(target))) process.exit(1)
await buildBundle()
await prepareDatabases(false)
const server = await startServer()
const browser = await launch()
const h5 = { ...(await measureHomeVisit(browser, server.url)), ...measureScripts() }
await browser.close()
const home = await homeOnSlowPhone(server.url)
await server.stop()
const { form } = read('bench/results.json')
const results = { h5, weapp: weappPackages(), form, home, server: await serverReads() }
const over = overBudget(results)
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
if (over.length > 0) say(`✗ 超出预算：${over.join('、')}`)
process.exit(over.length > 0 ? 1 : 0)
