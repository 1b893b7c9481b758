/** The page 准确率公示 shows what the back-test command measures for one game (half a minute of computing). */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { percent } from '@/contract/format'
import { tempFolder } from '../../server/test/temp'
import { startServer, type TestServer } from '../fakes/server'
import { launchOwn, openPhone, type Phone, sidewaysScroll } from './browser'

let browser: Browser
let server: TestServer
let phone: Phone
let dataDir: string
/** figures printed by the command, which the page must show */
let run: Record<'n' | 'medianError' | 'within10' | 'within20' | 'within30' | 'coverage' | 'medianWidth', number>

beforeAll(async () => {
  // the command imports all sales shipped with the game: a sample has too few of the last 30 days
  dataDir = tempFolder('valuation-test-')
  const args = ['--import', 'tsx', 'server/cli/model-backtest.ts', '--game', 'hok', '--json']
  const env = { ...process.env, TSX_TSCONFIG_PATH: 'server/tsconfig.json', DATA_DIR: dataDir, DATABASE_URL: '' }
  const tool = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  if (tool.status !== 0) throw new Error(tool.stderr)
  run = JSON.parse(tool.stdout)
  ;[browser, server] = await Promise.all([launchOwn(), startServer({ dataDir })])
  phone = await openPhone(browser)
})
afterAll(async () => {
  await browser?.close()
  await server?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const text = async () => (await phone.page.locator('body').innerText()).replace(/\s+/g, '')

it('the accuracy page and home show the figures of the back-test', async () => {
  const { page } = phone
  await page.goto(`${server.url}/pagesA/pages/home/article/index?key=ACCURACY`)
  await page.getByText('半数估价误差').first().waitFor()
  expect(await page.locator('img.doc-img').first().getAttribute('alt')).toContain('承诺覆盖率 80%')
  await page.getByText('每个游戏的全部数字').tap()
  // the tables are laid out after the tap
  await page.waitForFunction((shown) => document.body.innerText.includes(shown), percent(run.medianError))
  const said = await text()
  const shares = [run.medianError, run.within10, run.within20, run.within30, run.coverage, run.medianWidth]
  for (const share of shares) expect(said).toContain(percent(share))
  expect(said).toContain(`${run.n}笔`)
  expect(said).toContain('不代表真实行情')
  expect(await sidewaysScroll(page)).toBe(0)
  await page.goto(server.url)
  const strip = page.locator('.home-accuracy__text').first()
  const recent = await strip.innerText()
  expect(recent).toContain('合成数据')
  await strip.tap()
  await page.waitForURL((url) => url.searchParams.get('key') === 'ACCURACY')
  await page.getByText('每个游戏的全部数字').filter({ visible: true }).tap()
  await page.getByText('近30天半数估价误差').filter({ visible: true }).first().waitFor()
  expect(await text()).not.toContain('NaN')
  const shown = recent.match(/[\d.]+%/g) ?? []
  expect(shown).not.toEqual([])
  for (const share of shown) expect(said).toContain(share)
  expect(phone.problems).toEqual([])
})
