import { spawnSync } from 'node:child_process'
import { openDatabase } from '../db/database'
import { parseSettings } from '../settings'
import { createTestDatabase, type TestDatabase } from '../test/harness'
import { startProcess } from '../test/process'
import { programOf } from '../test/programs'
import { root } from '../test/temp'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(() => testDatabase.remove())

async function reset(env: Record<string, string>, ...args: string[]): Promise<[number | string, string]> {
  const tool = startProcess(env, 'server/cli/db-reset.ts', args)
  return [await tool.ended, tool.output()]
}

/** Output of the console for piped statements. */
function sql(statements: string) {
  const { program, execArgv, env } = programOf('server/cli/db-console.ts')
  return spawnSync(process.execPath, [...execArgv, program], {
    cwd: root,
    input: statements,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env, ...testDatabase.env },
  })
}

test('a database is thrown away and recreated, with the shipped games', async () => {
  const settings = parseSettings(testDatabase.env)
  const before = await openDatabase(settings)
  await before.db.insertInto('games').values(quietGame).execute()
  const [heldCode, held] = await reset(testDatabase.env)
  expect(held).toMatch('个连接：请先停掉服务')
  expect(heldCode).toBe(1)
  await before.close()

  const [code, output] = await reset(testDatabase.env)
  expect([code, output]).toEqual([0, expect.stringContaining('数据库已重建')])
  const after = await openDatabase(settings)
  const games = await after.db.selectFrom('games').select('game_id').execute()
  await after.close()
  expect(games.map((game) => game.game_id)).toEqual(expect.arrayContaining(['hok', 'val']))
  expect(games).toHaveLength(8)
})

const quietGame = {
  game_id: 'gone',
  config: '{}',
  icon: '',
  letter: 'G',
  search: '',
  hot: 0,
  sort: 0,
  updated_at: 0,
}

test('neither production nor a server elsewhere is emptied', async () => {
  const keys = { SIGN_SECRET: 'a-secret-of-its-own-1', IDENTITY_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` }
  const [code, output] = await reset({ ...testDatabase.env, ...keys, NODE_ENV: 'production' }, '--force')
  expect([code, output]).toEqual([1, expect.stringContaining('不能用于生产环境')])
  const elsewhere = await reset({ DATABASE_URL: 'postgres://localhost/x?host=db.example.com' })
  expect(elsewhere).toEqual([1, expect.stringContaining('db.example.com，不是本机数据库')])
})

test('the console answers statements and describes tables', () => {
  const { status, stdout } = sql('select 40 +\n 2 as n;\n\\d feedback\n\\q\n')
  expect(stdout).toContain('42')
  expect(stdout).toContain('content')
  expect(status).toBe(0)
})
