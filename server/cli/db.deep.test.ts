/** The tools of db.test.ts on the embedded database, which each of them opens for itself. */
import { spawnSync } from 'node:child_process'
import { openDatabase } from '../db/database'
import { embeddedDatabase } from '../test/harness'
import { startProcess } from '../test/process'
import { programOf } from '../test/programs'
import { root } from '../test/temp'

const store = embeddedDatabase()
afterAll(() => store.remove())

async function reset(env: Record<string, string>): Promise<[number | string, string]> {
  const tool = startProcess(env, 'server/cli/db-reset.ts')
  return [await tool.ended, tool.output()]
}

/** Output of the console for piped statements. */
function sql(statements: string, database: Record<string, string>) {
  const { program, execArgv, env } = programOf('server/cli/db-console.ts')
  return spawnSync(process.execPath, [...execArgv, program], {
    cwd: root,
    input: statements,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', ...env, ...database },
  })
}

test('the database is thrown away and recreated, with the shipped games', async () => {
  expect(await reset(store.env)).toEqual([0, expect.stringContaining('数据库已重建')])
  const { db, close } = await openDatabase(store.where)
  expect(await db.selectFrom('games').select('game_id').execute()).toHaveLength(8)
  await close()
})

test('the console answers statements, and reports failures', () => {
  const { status, stdout, stderr } = sql('select 40 +\n 2 as n;\n\\d feedback\nselect nothing;\n', store.env)
  for (const words of ['42', 'content']) expect(stdout).toContain(words)
  expect([status, stderr]).toEqual([1, expect.stringContaining('✗')])
  expect(sql('', { DATA_DIR: '/nowhere', DATABASE_URL: '' }).stderr).toContain('没有数据库')
})
