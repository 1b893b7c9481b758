import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { someAnswers } from './harness'
import {
  config,
  countOf,
  type Given,
  ndjson,
  newPartner,
  PATH,
  partner,
  post,
  rows,
  server,
  setUpPartner,
} from './partner-feed'
import { root } from './temp'

setUpPartner()

let listening: Promise<string> | undefined

const site = () => (listening ??= server.app.listen({ host: '127.0.0.1', port: 0 }))

test('calls whose clients have left count until their rows are stored', async () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  const { inUse } = deps.repositories.models
  const steps = new EventEmitter()
  const goOn = once(steps, 'go on')
  jest.spyOn(deps.repositories.models, 'inUse').mockImplementation(async (...given) => {
    steps.emit('one')
    await goOn
    return inUse(...given)
  })
  const list = rows(4, 'shop-left')
  const address = await site()
  for (const row of list.slice(0, 2)) {
    const [body, time, leave] = [JSON.stringify(row), String(Date.now()), new AbortController()]
    const sign = createHmac('sha256', partner.secret).update(`${time}\n${body}`).digest('hex')
    const headers = { 'x-partner-key': partner.key, 'x-partner-time': time, 'x-partner-sign': sign }
    const [isIn, arrived] = [once(steps, 'one'), once(server.app.server, 'request')]
    const answer = fetch(address + PATH, { method: 'POST', body, headers, signal: leave.signal }).catch(() => 'left')
    const [, response] = (await arrived) as [IncomingMessage, ServerResponse]
    await isIn
    const closed = once(response, 'close')
    leave.abort()
    expect(await answer).toBe('left')
    await closed
  }
  const beside = await post('')
  steps.emit('go on')
  expect(beside.status).toBe(429)
  const last = JSON.stringify(list[3])
  while ((await post(last)).status === 429) await setImmediate()
  jest.restoreAllMocks()
  expect((await post(ndjson(list))).body).toMatchObject({ accepted: 1, known: 3 })
})

/** A call whose body is sent only when `end` is called. @param given as for `post`; `remoteAddress`: of the sender */
function slowCall(body: string, { remoteAddress = '127.0.0.1', ...given }: Given & { remoteAddress?: string } = {}) {
  const time = String(Date.now())
  const sign = given.sign ?? createHmac('sha256', partner.secret).update(`${time}\n${body}`).digest('hex')
  // the server reads a body after it has admitted the call
  const payload = new Readable({ read: () => void payload.emit('asked') })
  const admitted = once(payload, 'asked')
  const headers = {
    ...{ 'x-partner-key': given.key ?? partner.key, 'x-partner-time': time, 'x-partner-sign': sign },
    ...{ 'content-type': 'application/x-ndjson', 'content-length': String(Buffer.byteLength(body)) },
  }
  const answer = server.app.inject({ method: 'POST', url: PATH, payload, headers, remoteAddress })
  const end = () => {
    payload.push(body)
    payload.push(null)
  }
  return { admitted, answer, end }
}

test('a stranger who holds calls open with a partner’s key does not keep the partner out', async () => {
  const held = [1, 2].map(() => slowCall('{}', { remoteAddress: '203.0.113.9' }))
  await Promise.all(held.map(({ admitted }) => admitted))
  expect((await post(ndjson(rows(2, 'shop-beside')))).body).toMatchObject({ accepted: 2 })
  for (const { end } of held) end()
  await Promise.all(held.map(({ answer }) => answer))
})

test('valuations are served, with the same prices, while partners send slow, huge, broken and forged calls', async () => {
  const { gameId, schemaVersion } = config
  let users = 0
  const value = async (skip: number) => {
    const { token } = await server.login(`1370000${String(++users).padStart(4, '0')}`)
    const request = { gameId, schemaVersion, answers: someAnswers(config, skip), source: 'TYPED' as const }
    const { orderId } = (await server.call('evaluation', 'submitAi', request, { token })).body.data
    return (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data.price.predictFen
  }
  const accounts = [0, 40, 80, 120]
  const before = await Promise.all(accounts.map(value))
  const late = rows(4, 'shop-slow').map((row) => JSON.stringify(row))
  const slow = [late.slice(0, 2), late.slice(2)].map((lines) => slowCall(lines.join('\n')))
  await Promise.all(slow.map(({ admitted }) => admitted))
  const other = await newPartner()
  const badDay = async () => {
    const third = await post(late.join('\n'))
    expect([third.status, third.body.code, Number(third.headers['retry-after']) > 0]).toEqual([
      429,
      'TOO_MANY_CALLS',
      true,
    ])
    const huge = ['x'.repeat(5 * 1024 * 1024 + 1), '{}\n'.repeat(5_001)]
    for (const body of huge) expect(await post(body, other)).toMatchObject({ status: 413 })
    const broken = await post('{"gameId":\n'.repeat(5_000), other)
    expect([broken.status, broken.body.accepted, broken.body.refused.length]).toEqual([200, 0, 5_000])
    expect(await post(late.join('\n'), { ...other, sign: 'f'.repeat(64) })).toMatchObject({ status: 401 })
  }
  const [during] = await Promise.all([Promise.all(accounts.map(value)), badDay()])
  // the market moves with the clock, by less than this
  expect(during.map((fen, i) => fen / (before[i] ?? 0))).toEqual(accounts.map(() => expect.closeTo(1, 4)))
  for (const { end } of slow) end()
  const answers = await Promise.all(slow.map(({ answer }) => answer))
  expect(answers.map((answer) => answer.json().accepted)).toEqual([2, 2])
  expect((await post(late.join('\n'))).body).toMatchObject({ known: 4 })
})

/** Runs the client of the guide on these lines. */
async function runClient(lines: readonly string[], site: string) {
  const [, client = ''] = /```js\n(.+?)```/s.exec(readFileSync(path.join(root, 'docs/partners.md'), 'utf8')) ?? []
  expect(client.trim().split('\n')).toHaveLength(10)
  const env = { ...process.env, SITE: site, KEY: partner.key, SECRET: partner.secret }
  const child = spawn(process.execPath, ['--input-type=module', '-e', client], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  child.stdin.end(`${lines.join('\n')}\n`)
  const printed = child.stdout.toArray()
  const [code] = await once(child, 'exit')
  return { code, printed: Buffer.concat(await printed).toString() }
}

test('the client of the guide sends every line, whatever it is answered meanwhile, and stops at a refusal', async () => {
  const linesOf = (n: number, remark = '') => Array.from({ length: n }, (_, i) => `{"externalId":"${i}${remark}"}`)
  const lines = linesOf(12_001)
  const run = async (answers: readonly number[], given = lines) => {
    const stored: string[] = []
    const left = [...answers]
    const http = createServer(async (req, res) => {
      const sent = Buffer.concat(await req.toArray()).toString()
      const status = Buffer.byteLength(sent) > 5 * 1024 * 1024 ? 413 : (left.shift() ?? 200)
      if (status === 200) stored.push(...sent.split('\n'))
      res.writeHead(status, status === 429 || status === 503 ? { 'retry-after': '0' } : {}).end('{}')
    })
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    const { code } = await runClient(given, `http://127.0.0.1:${(http.address() as AddressInfo).port}`)
    await new Promise((resolve) => http.close(resolve))
    return { code, stored }
  }
  expect(await run([503, 200, 429, 503, 200])).toEqual({ code: 0, stored: lines })
  expect(await run([200, 401])).toEqual({ code: 1, stored: lines.slice(0, 5000) })
  // 3 bytes each in UTF-8
  const long = linesOf(6_000, '长'.repeat(600))
  expect(await run([], long)).toEqual({ code: 0, stored: long })
  expect(await run([], linesOf(1, 'x'.repeat(6_000_000)))).toEqual({ code: 1, stored: [] })
})

test('the client of the guide sends sales to this server', async () => {
  const lines = rows(30, '店铺-指南').map((row) => JSON.stringify(row))
  const { code, printed } = await runClient(lines, await site())
  expect([code, printed]).toEqual([0, '{"accepted":30,"known":0,"held":0,"refused":[]} 30\n'])
  expect(await countOf('sales', '店铺-指南')).toBe(30)
})
