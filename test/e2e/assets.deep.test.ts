/** The app built with ASSET_BASE: files load from another origin, in real Chromium, under the server's CSP. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { freePort } from '../../server/test/free-port'
import { createTestDatabase, SECRET, startServer, type TestDatabase, type TestServer } from '../../server/test/harness'
import { launch, openPhone } from './browser'

jest.setTimeout(900_000)

let folder: string
let testDatabase: TestDatabase
let server: TestServer
let browser: Browser
/** origins of the page and of the files */
let pages: string
let assets: string

beforeAll(async () => {
  const port = await freePort()
  // one server under two origins, as behind a CDN that fetches from it
  ;[pages, assets] = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]
  folder = mkdtempSync(path.resolve('.cache/assets-'))
  const env = { ...process.env, NODE_ENV: 'production', ASSET_BASE: assets, BUILD_DIR: folder, SIGN_SECRET: SECRET }
  const { status, stdout } = spawnSync('npx', ['taro', 'build', '--type', 'h5', '--no-check'], {
    env,
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
  testDatabase = await createTestDatabase()
  server = await startServer({ testDatabase, games: ['hok'], pagesDir: path.join(folder, 'h5') })
  await server.app.listen({ port, host: '127.0.0.1' })
  browser = await launch()
})
afterAll(async () => {
  await browser?.close()
  await server?.close()
  testDatabase?.remove()
  rmSync(folder, { recursive: true, force: true })
})

it('home and a page of another chunk load every file from there without a CSP violation', async () => {
  const { page, context, problems } = await openPhone(browser)
  const files: string[] = []
  page.on('response', (r) => {
    if (['script', 'stylesheet'].includes(r.request().resourceType())) files.push(new URL(r.url()).origin)
  })
  await page.goto(`${pages}/`)
  await page.getByText('王者荣耀').first().waitFor()
  await page.goto(`${pages}/pagesA/pages/home/news/index`)
  await page.getByText('资讯', { exact: true }).first().waitFor()
  expect(new Set(files)).toEqual(new Set([assets]))
  expect(problems).toEqual([])
  await context.close()
})
