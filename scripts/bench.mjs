/**
 * `npm run bench`: bytes of h5, paints of home and frequent reads of the server beside bare ones, each against
 * bench/budgets.json; the figures go to bench/results.json. `--static` records again the static page that paints are
 * compared with. The mini-program's budgets are compared by its tests.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { buildBundle } from '../server/test/bundle.ts'
import { prepareDatabases } from '../server/test/prepared.ts'
import { launch } from '../test/e2e/browser.ts'
import { measureHomeVisit, measureScripts } from '../test/e2e/home-bytes.ts'
import { startServer } from '../test/fakes/server.ts'
import { homeOnSlowPhone } from './bench-home.mjs'
import { build } from './build.mjs'
import { root, say } from './lib.mjs'
import { measureReads, ownDatabase, startServer as startWeb } from './load.mjs'
import { ensureTools } from './tools.mjs'

const file = path.join(root, 'bench/results.json')
const read = (name) => JSON.parse(readFileSync(path.join(root, name), 'utf8'))

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

/** Prints the budgets of what was measured. @returns names of those that are exceeded */
function overBudget(results) {
  const budgets = read('bench/budgets.json')
  return Object.entries(results).flatMap(([area, figures]) =>
    Object.entries(budgets[area]).flatMap(([name, { max = Number.POSITIVE_INFINITY, min = 0 }]) => {
      const good = figures[name] >= min && figures[name] <= max
      say(`  ${good ? '✓' : '✗'} ${area}.${name} ${figures[name]} (${min} – ${max})`)
      return good ? [] : [`${area}.${name}`]
    }),
  )
}

await ensureTools()
for (const target of ['h5', 'server']) if (!(await build(target))) process.exit(1)
await buildBundle()
await prepareDatabases(false)
const server = await startServer()
const browser = await launch()
const h5 = { ...(await measureHomeVisit(browser, server.url)), ...measureScripts() }
await browser.close()
const paints = await homeOnSlowPhone(server.url)
await server.stop()
const { form } = read('bench/results.json')
const results = { h5, form, ...paints, server: await serverReads() }
const over = overBudget(results)
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
if (over.length > 0) say(`✗ 超出预算：${over.join('、')}`)
process.exit(over.length > 0 ? 1 : 0)
