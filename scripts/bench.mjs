/**
 * `npm run bench`: bytes, requests and layout shifts of the h5 home page, its speed on a slow phone, the mini-program's
 * packages and its setData traffic, frequent reads of the server beside a baseline server, each against bench/budgets.json.
 * `--static` records the static page that paints are compared with again.
 * Results go to bench/results.json.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildBundle } from '../server/test/bundle.ts'
import { prepareDatabases } from '../server/test/prepared.ts'
import { launch } from '../test/e2e/browser.ts'
import { plausibleAccount } from '../test/e2e/form.ts'
import { kb, measureHomeVisit, measureScripts } from '../test/e2e/home-bytes.ts'
import { login, payForReport, post } from '../test/fakes/calls.ts'
import { startServer } from '../test/fakes/server.ts'
import { startHarness } from '../test/weapp/launch.ts'
import { homeOnSlowPhone } from './bench-home.mjs'
import { byLighthouse } from './bench-lighthouse.mjs'
import { build } from './build.mjs'
import { root, say } from './lib.mjs'
import { measureReads, ownDatabase, startServer as startWeb } from './load.mjs'
import { ensureTools } from './tools.mjs'

const file = path.join(root, 'bench/results.json')

function files(dir, keep) {
  return readdirSync(dir, { withFileTypes: true }).flatMap((e) => {
    const full = path.join(dir, e.name)
    return e.isDirectory() ? files(full, keep) : keep(full) ? [full] : []
  })
}
const size = (list) => list.reduce((sum, f) => sum + statSync(f).size, 0)

const hok = () => JSON.parse(readFileSync(path.join(root, 'server/fixtures/games/hok.json'), 'utf8'))

function weappPackages() {
  const uploaded = (f) => !/LICENSE\.txt$|\.map$/.test(f)
  const dir = path.join(root, 'dist/weapp')
  const pagesA = size(files(path.join(dir, 'pagesA'), uploaded))
  return { mainKb: kb(size(files(dir, uploaded)) - pagesA), pagesAKb: kb(pagesA) }
}

/** An unlocked report of 王者荣耀, and its owner. */
async function wholeReport(server) {
  const { fields, schemaVersion } = hok()
  const who = await login(server, '13800138777')
  const known = new Set(fields.map(({ key }) => key))
  const answers = Object.fromEntries(Object.entries(plausibleAccount(hok())).filter(([key]) => known.has(key)))
  const wish = { gameId: 'hok', schemaVersion, answers, source: 'TYPED' }
  const { orderId } = await post(server, '/app-api/api/evaluate/user/game/submit/ai', wish, who.token)
  await payForReport(server, who.token, orderId)
  return { who, orderId }
}

/** Data that the running mini-program passes from the logic layer to the view layer. */
async function weappSetData(server) {
  const { who, orderId } = await wholeReport(server)
  const harness = await startHarness()
  const app = await harness.open({ apiBase: server.url })
  await app.start()
  const launched = await app.counters()
  await app.tap('估价')
  const tab = await app.measure(() => app.tap('首页'))
  await app.signIn(who)
  await app.start('pages/evaluation/fillInInfo/index', { gameId: 'hok', mode: 'AI' })
  const chip = await app.measure(() => app.tap('安卓QQ'))
  const sheet = await app.measure(() => app.tap('请选择段位'))
  await app.start()
  const report = await app.measure(() => app.navigateTo(`/pages/evaluation/report/index?orderId=${orderId}`))
  await app.see('合计')
  await harness.close()
  return {
    launchSetDataBytes: launched.bytes,
    launchSetDataCalls: launched.calls,
    tapSetDataCalls: Math.max(tab.calls, chip.calls),
    sheetSetDataBytes: sheet.bytes,
    reportSetDataBytes: report.bytes,
  }
}

/** Figures of `load.mjs`, by the name of its budget. */
const reads = { 'user/get': 'userGet', 'report/get': 'reportGet', 'order/list': 'orderList' }

/** Frequent reads of two web processes on PostgreSQL, each beside a baseline server of fastify and pg that selects the same row. */
async function serverReads() {
  process.env.SERVER_BUNDLE = path.join(root, 'dist/server')
  const { databaseUrl, stop } = await ownDatabase()
  const webs = [await startWeb(databaseUrl, 'web'), await startWeb(databaseUrl, 'web')]
  try {
    const only = Object.keys(reads)
    const calls = await measureReads(databaseUrl, webs, { connections: 20, seconds: 4, rounds: 3, only })
    const figures = calls.map(({ name, ratio, perSecond, baseline }) => ({
      [`${reads[name]}PerSecond`]: perSecond,
      [`${reads[name]}BaselinePerSecond`]: baseline.perSecond,
      [`${reads[name]}Ratio`]: ratio,
    }))
    return Object.assign({}, ...figures)
  } finally {
    await Promise.all(webs.map((web) => web.stop()))
    stop()
  }
}

function overBudget(results) {
  const budgets = JSON.parse(readFileSync(path.join(root, 'bench/budgets.json'), 'utf8'))
  const over = []
  for (const [area, limits] of Object.entries(budgets))
    for (const [name, { max, min }] of Object.entries(limits)) {
      const value = results[area]?.[name]
      const bad = value === undefined || (max !== undefined && value > max) || (min !== undefined && value < min)
      say(`  ${bad ? '✗' : '✓'} ${area}.${name} ${value} (${max === undefined ? `至少 ${min}` : `至多 ${max}`})`)
      if (bad) over.push(`${area}.${name}`)
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
const client = {
  h5,
  weapp: { ...weappPackages(), ...(await weappSetData(server)) },
  // measured by the end-to-end test that fills in the form (test/e2e/main-job.test.ts)
  form: JSON.parse(readFileSync(file, 'utf8')).form,
  home: await homeOnSlowPhone(server.url),
  ...(await byLighthouse(server.url)),
}
await server.stop()
const results = { ...client, server: await serverReads() }
const over = overBudget(results)
writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`)
if (over.length > 0) say(`✗ 超出预算：${over.join('、')}`)
process.exit(over.length > 0 ? 1 : 0)
