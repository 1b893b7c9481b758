import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { generateSales } from '../fixtures/synthetic/generate'
import { game } from '../test/arbitrary'
import { createTestDatabase, type TestDatabase } from '../test/harness'
import { startProcess } from '../test/process'
import { root, tempFolder } from '../test/temp'

let testDatabase: TestDatabase
beforeAll(async () => {
  testDatabase = await createTestDatabase()
  await testDatabase.fill?.()
})
afterAll(() => testDatabase.remove())

async function add(...args: string[]): Promise<[number | string, string]> {
  const { ended, output } = startProcess(testDatabase.env, 'server/cli/partner-add.ts', args)
  return [await ended, output()]
}

/** The program of docs/partners.md, as a partner copies it. */
function documentedClient(): string {
  const [, code] = /```js\n([\s\S]+?)```/.exec(readFileSync(path.join(root, 'docs/partners.md'), 'utf8')) ?? []
  if (!code) throw new Error('docs/partners.md has no client')
  return code
}

test('a partner made by the command sends its sales with the client of the documentation', async () => {
  const [code, output] = await add('寄售平台')
  expect(code).toBe(0)
  const { key, secret } = JSON.parse(output.trim().split('\n').at(-1) ?? '')
  expect(output.split(secret)).toHaveLength(2)
  const [again, refusal] = await add('寄售平台')
  expect([again, refusal]).toEqual([1, expect.stringMatching(/^✗ .+。\n$/)])

  const sold = [...generateSales(game('lolm'), { n: 30, until: Date.now(), seed: 5 })].map((sale, i) => ({
    ...{ gameId: 'lolm', kind: 'SOLD', priceFen: sale.priceFen, at: sale.at, attributes: sale.attributes },
    ...{ source: 'documented', externalId: `${i}`, listedAt: sale.at - 86_400_000 },
  }))
  const client = path.join(tempFolder('valuation-partner-'), 'send.mjs')
  writeFileSync(client, documentedClient())
  const line = JSON.stringify(sold[0])

  const server = startProcess(testDatabase.env)
  const env = { ...process.env, SITE: await server.ready(), KEY: key, SECRET: secret }
  const child = spawn(process.execPath, [client], { env })
  child.stdin.end([...sold.map((row) => JSON.stringify(row)), ...Array(5_000).fill(line)].join('\n'))
  const [printed, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  server.child.kill()
  await server.ended
  expect(stderr).toBe('')
  const answers = printed
    .trim()
    .split('\n')
    .map((one) => /^(.+) (\d+)$/.exec(one)?.slice(1) ?? [one])
  expect(answers.map(([, lines]) => lines)).toEqual(['5000', '30'])
  const [first, second] = answers.map(([body = '']) => JSON.parse(body))
  expect(first).toMatchObject({ known: 4_970, refused: [] })
  expect(first.accepted + first.held).toBe(30)
  expect(second).toEqual({ accepted: 0, known: 30, held: 0, refused: [] })
})

test('the command says how it is used', async () => {
  for (const args of [[], ['a', 'b']]) expect(await add(...args)).toEqual([1, expect.stringContaining('用法')])
})
