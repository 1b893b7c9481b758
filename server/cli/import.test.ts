import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createTestDatabase, type TestDatabase } from '../test/harness'
import { startProcess } from '../test/process'

let testDatabase: TestDatabase
let dir: string
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  dir = mkdtempSync(path.join(tmpdir(), 'valuation-import-'))
})
afterAll(() => {
  testDatabase.remove()
  rmSync(dir, { recursive: true })
})

async function run(tool: string, name: string, text?: string): Promise<[number | string, string]> {
  const file = path.join(dir, name)
  if (text !== undefined) writeFileSync(file, text)
  const process = startProcess(testDatabase.env, `server/cli/${tool}.ts`, [file])
  const code = await process.ended
  return [code, process.output()]
}

const noStack = /^(?!.*\n\s+at )/s

test.each<[string, string, string | undefined, string]>([
  ['sales-import', 'none.csv', undefined, '无法读取'],
  ['sales-import', 'sales.xlsx', '', '应以 .csv 或 .ndjson 结尾'],
  ['sales-import', 'bad.ndjson', '{"gameId":"nope"}\n{oops\n', '第 2 行：不是有效的 JSON'],
  ['game-import', 'none.json', undefined, '无法读取'],
  ['game-import', 'bad.json', '{}', '缺少'],
])('%s of %s ends with a sentence and exit code 1', async (tool, name, text, words) => {
  const [code, output] = await run(tool, name, text)
  expect(output).toContain(words)
  expect(output).toMatch(noStack)
  expect(code).toBe(1)
})

test('sales-import ends with a summary in JSON; a difference is an error unless it is accepted', async () => {
  const file = path.join(__dirname, '../domains/market/import/fixtures/18-known-and-different.ndjson')
  const importFile = async (...flags: string[]) => {
    const process = startProcess(testDatabase.env, 'server/cli/sales-import.ts', ['--no-train', ...flags, file])
    const code = await process.ended
    return [code, /^\{"added".*\}$/m.exec(process.output())?.[0]]
  }
  expect(await importFile()).toEqual([1, '{"added":1,"known":1,"different":2,"refused":0,"held":0}'])
  const again = '{"added":0,"known":2,"different":2,"refused":0,"held":0}'
  expect(await importFile('--accept-differences')).toEqual([0, again])
})
