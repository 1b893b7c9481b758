/** `npm start` runs dist/server, without a compiler. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { generateSales } from '../fixtures/synthetic/generate'
import { game } from './arbitrary'
import { createTestDatabase, someAnswers, type TestDatabase } from './harness'
import { readPng } from './png'
import { call, type ServerProcess, startProcess } from './process'
import { root } from './temp'

const config = game('naraka')
let testDatabase: TestDatabase
let env: Record<string, string>
let server: ServerProcess | undefined
beforeAll(async () => {
  // does nothing if it exists
  const built = spawnSync(process.execPath, ['scripts/build.mjs', 'server'], { cwd: root, encoding: 'utf8' })
  expect([built.status, built.stderr]).toEqual([0, expect.any(String)])
  process.env.SERVER_BUNDLE = path.join(root, 'dist/server')
  const onlyCompiled = `--require=${path.join(root, 'server/test/only-compiled.cjs')}`
  testDatabase = await createTestDatabase('market')
  env = { ...testDatabase.env, NODE_OPTIONS: onlyCompiled, DEMO_APPRAISER: '0' }
})
afterAll(async () => {
  server?.child.kill('SIGKILL')
  await server?.ended
  testDatabase.remove()
})

async function login(url: string): Promise<string> {
  await call(url, 'user', 'sendSmsCode', { mobile: '13800130099', scene: 1 })
  const { code } = (await (await fetch(`${url}/sandbox/sms?mobile=13800130099`)).json()) as { code: string }
  return (await call(url, 'user', 'smsLogin', { mobile: '13800130099', code })).data.token
}

test('the compiled server values an account and draws its poster', async () => {
  server = startProcess(env)
  const url = await server.ready()
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
  expect((await fetch(`${url}/desk/login`)).status).toBe(200)
  const token = await login(url)
  const { gameId, schemaVersion } = config
  const request = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  const { data } = await call(url, 'evaluation', 'submitAi', request, token)
  expect(data.status).toBe('REPORTED')
  const poster = await call(url, 'evaluation', 'reportImage', { orderId: data.orderId }, token)
  expect(poster).toMatchObject({ success: true })
  const picture = await fetch(new URL(poster.data.url, url))
  expect(readPng(Buffer.from(await picture.arrayBuffer())).width).toBe(750)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
})

test('compiled tools migrate, check the ledger and train', async () => {
  const run = async (tool: string, ...args: string[]) => {
    const process = startProcess(env, `server/cli/${tool}.ts`, args)
    return [await process.ended, process.output()]
  }
  expect(await run('migrate')).toEqual([0, expect.stringContaining('已是最新')])
  expect(await run('books-check')).toEqual([0, expect.stringContaining('账目一致')])
  // a game with few sales, which trains quickly
  const small = { ...config, gameId: 'small', name: '小游戏' }
  const [form = '', sales = ''] = ['small.json', 'small.ndjson'].map((name) =>
    path.join(testDatabase.env.DATA_DIR, name),
  )
  writeFileSync(form, JSON.stringify(small))
  expect(await run('game-import', form)).toEqual([0, expect.any(String)])
  const lines = Array.from(
    generateSales(small, { until: Date.now(), n: 40 }),
    (sale) => `${JSON.stringify({ ...sale, source: 'test' })}\n`,
  )
  writeFileSync(sales, lines.join(''))
  expect(await run('sales-import', sales)).toEqual([0, expect.stringContaining('更新了估价模型')])
})
