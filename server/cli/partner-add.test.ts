import { createTestDatabase, type TestDatabase } from '../test/harness'
import { startProcess } from '../test/process'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
})
afterAll(() => testDatabase.remove())

async function add(...args: string[]): Promise<[number | string, string]> {
  const { ended, output } = startProcess(testDatabase.env, 'server/cli/partner-add.ts', args)
  return [await ended, output()]
}

test('the command prints the key and once the secret of a new partner, and refuses a name twice', async () => {
  const [code, output] = await add('寄售平台')
  expect(code).toBe(0)
  const { key, secret } = JSON.parse(output.trim().split('\n').at(-1) ?? '')
  expect([key, output.split(secret)]).toEqual([expect.any(String), expect.objectContaining({ length: 2 })])
  const [again, refusal] = await add('寄售平台')
  expect([again, refusal]).toEqual([1, expect.stringMatching(/^✗ .+。\n$/)])
})

test('the command says how it is used', async () => {
  expect(await add('a', 'b')).toEqual([1, expect.stringContaining('用法')])
})
