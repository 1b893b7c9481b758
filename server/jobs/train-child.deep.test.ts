import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { generateSales } from '../fixtures/synthetic/generate'
import { game, SALES_UNTIL } from '../test/arbitrary'
import { programOf } from '../test/programs'
import { root, tempFolder } from '../test/temp'

/** Source of a server that starts a training, reports it, and is killed. */
const server = `
const { fork } = require('node:child_process')
const { readFileSync } = require('node:fs')
const { program, execArgv, sales, rest } = JSON.parse(readFileSync(process.argv[1], 'utf8'))
const child = fork(program, { execArgv, serialization: 'advanced' })
child.send(sales, () => child.send(rest, () => console.log('sent')))
`

test('the training of a server that was killed ends without output', async () => {
  const config = game('val')
  const { program, execArgv, env } = programOf('server/jobs/train-child.ts')
  const sales = [...generateSales(config, { n: 400, until: SALES_UNTIL })].map((sale, i) => ({
    ...sale,
    id: String(i),
  }))
  const folder = tempFolder('valuation-test-')
  const file = path.join(folder, 'set.json')
  writeFileSync(file, JSON.stringify({ program, execArgv, sales, rest: { config, now: SALES_UNTIL } }))
  const parent = spawn(process.execPath, ['-e', server, file], { cwd: root, env: { ...process.env, ...env } })
  let words = ''
  parent.stderr.on('data', (text) => {
    words += text
  })
  await once(parent.stdout, 'data')
  const closed = once(parent, 'close')
  parent.kill('SIGKILL')
  // the child shares the pipes, so they close when it has ended too
  await closed
  rmSync(folder, { recursive: true })
  expect(words).toBe('')
})
