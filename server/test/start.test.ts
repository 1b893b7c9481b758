import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { calls } from '@/contract/calls'
import { createClock } from '../core/clock'
import { openDatabase } from '../db/database'
import { prepareFolder } from '../db/pglite'
import { seedStaff } from '../domains/staff/staff'
import { seed } from '../fixtures/seed'
import { parseSettings } from '../settings'
import { freePort } from './free-port'
import { insertGamesWithoutSales } from './games-without-sales'
import { createTestDatabase, type TestDatabase } from './harness'
import { call, headersOf, type ServerProcess, startProcess } from './process'

const dirs: string[] = []
const stores: TestDatabase[] = []
const running: ServerProcess[] = []
afterAll(async () => {
  for (const p of running) p.child.kill('SIGKILL')
  await Promise.all(running.map((p) => p.ended))
  for (const dir of dirs) rmSync(dir, { recursive: true, force: true })
  for (const testDatabase of stores) testDatabase.remove()
})

const tempDir = () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'valuation-start-'))
  dirs.push(dir)
  return dir
}
const start = (env: Record<string, string>, file?: string, args?: string[]) => {
  const p = startProcess(env, file, args)
  running.push(p)
  return p
}
const newStore = async () => {
  const testDatabase = await createTestDatabase()
  stores.push(testDatabase)
  return testDatabase
}

/** The message to the operator: one sentence, exit code 1. */
async function refusal(env: Record<string, string>, file?: string, args?: string[]): Promise<string> {
  const p = start(env, file, args)
  expect(await p.ended).toBe(1)
  const lines = p.output().trim().split('\n')
  expect(lines).toHaveLength(1)
  return lines[0] ?? ''
}

test('an invalid setting ends the start with one sentence that names it, before anything is changed', async () => {
  const dataDir = path.join(tempDir(), 'data')
  expect(await refusal({ DATA_DIR: dataDir, PORT: 'abc' })).toBe(
    '✗ 设置 PORT 不正确：应为 0 到 65535 的整数，现在是“abc”。',
  )
  expect(readdirSync(path.dirname(dataDir))).toEqual([])
})

test('a port in use is reported before the data folder is touched', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => taken.once('listening', resolve))
  const { port } = taken.address() as { port: number }
  const dir = tempDir()
  expect(await refusal({ PORT: String(port), DATA_DIR: dir })).toBe(
    `✗ 端口 ${port} 已被占用（PORT）：请停掉占用它的程序，或换一个端口。`,
  )
  expect(readdirSync(dir)).toEqual([])
  taken.close()
})

test('an unwritable data folder, and a tool without a database, end with one sentence', async () => {
  const file = path.join(tempDir(), 'a-file')
  writeFileSync(file, '')
  const unwritable = /数据目录 .+ 无法写入（DATA_DIR）：.+。$/
  // nothing can be created there, and the system reports the parent folder as missing
  expect(() => prepareFolder('/proc/valuation/data')).toThrow(unwritable)
  const [folder, database] = await Promise.all([
    refusal({ DATA_DIR: path.join(file, 'data') }),
    refusal({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/nothing' }, 'server/cli/books-check.ts'),
  ])
  expect(folder).toMatch(unwritable)
  expect(database).toMatch(/^✗ 数据库无法连接（DATABASE_URL）：.+。$/)
  expect(database).not.toContain('hunter2')
})

test('a server waits for its database without being ready, and can be stopped meanwhile', async () => {
  const p = start({ DATABASE_URL: 'postgres://me:hunter2@127.0.0.1:9/nothing', LOG_LEVEL: 'info' })
  await p.printed('数据库还无法连接')
  expect(p.output()).not.toContain('hunter2')
  const address = /http:\/\/127\.0\.0\.1:\d+/.exec(p.output())?.[0]
  const answers = await Promise.all(['/healthz', '/readyz', '/'].map((path) => fetch(`${address}${path}`)))
  expect(answers.map(({ status }) => status)).toEqual([503, 503, 503])
  p.child.kill('SIGTERM')
  expect(await p.ended).toBe(0)
})

/** The port in the URL of a server. */
const portOf = (url: string) => Number(new URL(url).port)
const userOf = async (url: string, token: string) => (await call(url, 'user', 'get', {}, token)).data

async function logIn(url: string, mobile: string): Promise<string> {
  await call(url, 'user', 'sendSmsCode', { mobile, scene: 1 })
  const { code } = (await (await fetch(`${url}/sandbox/sms?mobile=${mobile}`)).json()) as { code: string }
  return (await call(url, 'user', 'smsLogin', { mobile, code })).data.token
}

/**
 * Sends half a request, so that the server has one in progress. `finish` sends the rest and returns the whole answer.
 */
async function slowRequest(port: number): Promise<{ finish(): Promise<string> }> {
  const body = '{}'
  const socket: Socket = connect(port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  const { path: url } = calls.evaluation.hotGame
  const signed = headersOf(body)
  const head = Object.entries({ host: 'x', 'content-length': String(body.length), ...signed })
  socket.write(`POST ${url} HTTP/1.1\r\n${head.map(([k, v]) => `${k}: ${v}`).join('\r\n')}\r\n\r\n{`)
  // once a later request is answered, the server has received the first half
  await fetch(`http://127.0.0.1:${port}/healthz`)
  return {
    async finish() {
      socket.write('}')
      await closed
      return answer
    },
  }
}

test('a store survives a kill, a restart and a graceful stop', async () => {
  const testDatabase = await newStore()
  await insertGamesWithoutSales(testDatabase)
  const { env } = testDatabase
  const first = start(env)
  const url = await first.ready()
  const token = await logIn(url, '13800138000')
  const user = await userOf(url, token)

  const second = start(env)
  expect(await userOf(await second.ready(), token)).toEqual(user)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  expect(await userOf(url, token)).toEqual(user)

  first.child.kill('SIGKILL')
  expect(await first.ended).toBe('SIGKILL')
  const again = start(env)
  const newUrl = await again.ready()
  expect(await userOf(newUrl, token)).toEqual(user)

  const slow = await slowRequest(portOf(newUrl))
  again.child.kill('SIGTERM')
  await expect(untilRefused(newUrl)).resolves.toBe(true)
  const answer = await slow.finish()
  expect(answer).toMatch(/^HTTP\/1\.1 200/)
  expect(answer).toMatch(/connection: close/i)
  expect(await again.ended).toBe(0)
  expect(again.output()).toContain('已停止')
})

test('a web process answers calls and runs no jobs; a worker runs jobs and answers health checks only', async () => {
  const testDatabase = await newStore()
  await insertGamesWithoutSales(testDatabase)
  const web = start({ ...testDatabase.env, PROCESS: 'web' })
  const url = await web.ready()
  await web.printed('（PROCESS=web）')
  expect((await call(url, 'app', 'homeGameList', {})).success).toBe(true)

  const worker = start({ ...testDatabase.env, PROCESS: 'worker' })
  const health = await worker.ready()
  const status = async (path: string) => (await fetch(`${health}${path}`)).status
  expect(await Promise.all(['/healthz', '/readyz', '/', '/desk/login', '/sandbox/sms?mobile=1'].map(status))).toEqual([
    ...[200, 200, 404, 404, 404],
  ])
  expect((await call(health, 'app', 'homeGameList', {})).code).toBe('NOT_FOUND')
  // the sandbox's clock is the same in every process
  const headers = { 'content-type': 'application/json' }
  const moved = await fetch(`${health}/sandbox/clock`, { method: 'POST', headers, body: '{"advanceMs":3600000}' })
  expect(((await moved.json()) as { now: number }).now).toBeGreaterThan(Date.now() + 3_500_000)
  for (const p of [web, worker]) p.child.kill('SIGTERM')
  expect(await Promise.all([web.ended, worker.ended])).toEqual([0, 0])
})

test('a server whose output goes to a full disk starts, answers and stops normally', async () => {
  const testDatabase = await newStore()
  await insertGamesWithoutSales(testDatabase)
  const full = openSync('/dev/full', 'w')
  // its port cannot be read from the output
  const port = await freePort()
  const p = startProcess({ ...testDatabase.env, PORT: String(port), LOG_LEVEL: 'info' }, undefined, undefined, full)
  running.push(p)
  closeSync(full)
  const url = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  let ended = false
  p.ended.then(() => {
    ended = true
  })
  while (!ended && !(await isReady())) await delay(50)
  expect(ended).toBe(false)
  const token = await logIn(url, '13800138000')
  expect(await userOf(url, token)).toMatchObject({ mobileMasked: '138****8000' })
  p.child.kill('SIGTERM')
  expect(await p.ended).toBe(0)
})

/** Resolves once the port is closed. */
async function untilRefused(url: string): Promise<boolean> {
  for (;;) {
    const gone = await fetch(`${url}/healthz`).then(
      () => false,
      () => true,
    )
    if (gone) return true
  }
}

test('two processes on an empty database add each game once', async () => {
  const { where } = await newStore()
  const databases = [await openDatabase(where), await openDatabase(where)]
  const now = Date.now()
  const printed: string[] = []
  await Promise.all(
    databases.map(({ db }) =>
      seed(db, { now, salesEach: 20, print: (line) => printed.push(line.split('：')[0] ?? '') }),
    ),
  )
  expect(printed).toHaveLength(8)
  expect(new Set(printed).size).toBe(8)
  const [first] = databases
  if (!first) throw new Error('no database')
  const { db } = first
  const games = await db.selectFrom('games').select('game_id').execute()
  const sales = await db.selectFrom('sales').select('id').execute()
  expect([games.length, sales.length]).toEqual([8, 160])
  for (const { close } of databases) await close()
})

test('many processes can insert the sandbox’s staff at the same time', async () => {
  const { db, close } = await openDatabase((await newStore()).where)
  const settings = parseSettings({})
  const clock = createClock()
  for (let round = 0; round < 5; round += 1) {
    await db.deleteFrom('staff_logins').execute()
    await db.deleteFrom('staff').execute()
    await Promise.all(Array.from({ length: 8 }, () => seedStaff({ db, settings, clock })))
  }
  expect(await db.selectFrom('staff').select('no').orderBy('no').execute()).toHaveLength(5)
  await close()
})
