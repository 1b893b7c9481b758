import fs, { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLifecycle } from '../core/lifecycle'
import { createLog, openLog, pathOf } from '../core/log'
import { prettyLog } from '../core/pretty-log'
import { newId } from '../domains/shared/secrets'
import { createWorkerServer } from '../http/server'
import { parseSettings } from '../settings'

let dir: string
let file: string
let fd: number
beforeEach(() => {
  dir = mkdtempSync(path.join(tmpdir(), 'valuation-log-'))
  file = path.join(dir, 'log')
  fd = openSync(file, 'w')
})
afterEach(() => {
  jest.restoreAllMocks()
  closeSync(fd)
  rmSync(dir, { recursive: true })
})

const fillDisk = () =>
  jest.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
/** Number and text of each line; an incomplete line is not valid JSON. */
const written = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
    .map(({ n, msg }) => [n, msg])
const three = (msg: string) => [0, 1, 2].map((n) => [n, msg])

test('a log that cannot be written neither throws nor blocks; its lines are written with the next one that can be', () => {
  const log = createLog('info', openLog(fd))
  const full = fillDisk()
  for (let n = 0; n < 3; n += 1) log.info({ n }, 'full')
  // more than the buffer holds
  for (let n = 0; n < 20; n += 1) log.info({ text: 'x'.repeat(100_000) }, 'full')
  // a caller tries at most once
  expect(full.mock.calls.length).toBeLessThanOrEqual(23)
  full.mockRestore()
  for (let n = 0; n < 3; n += 1) log.info({ n }, 'space')
  const lines = written()
  expect(lines.slice(0, 3)).toEqual(three('full'))
  expect(lines.slice(-3)).toEqual(three('space'))
  expect(lines.length).toBeLessThan(20)
})

test('a partly written line is completed', () => {
  const log = createLog('info', openLog(fd))
  const { writeSync } = fs
  let space = 50
  jest.spyOn(fs, 'writeSync').mockImplementation(((to: number, line: string) => {
    if (space === 0) throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
    const part = writeSync(to, Buffer.from(line).subarray(0, space))
    space -= part
    return part
  }) as typeof writeSync)
  for (let n = 0; n < 3; n += 1) log.info({ n }, 'in parts')
  space = 10_000
  log.info({ n: 3 }, 'in parts')
  expect(written()).toEqual([...three('in parts'), [3, 'in parts']])
})

test('URLs in the log do not contain tokens, which open exports', () => {
  expect(pathOf(`/data-exports/${newId()}.zip?x=1`)).toBe('/data-exports/[…]')
})

test('lines for people contain time, message and fields, and no JSON; a request is one short line', () => {
  const lines: string[] = []
  const log = createLog('info', prettyLog({ write: (line) => lines.push(line) }))
  log.info({ reqId: 'a-1', method: 'GET', path: '/app-api/home', status: 200, ms: 12.3 })
  log.info({ game: 'hok', n: 3 }, 'trained')
  log.error({ err: new Error('no memory') }, 'training failed')
  const [request, told, failed] = lines.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))
  expect(request).toBe('GET /app-api/home 200 12.3 ms\n')
  expect(told).toBe('trained game=hok n=3\n')
  expect(failed).toMatch(/^error training failed\nError: no memory\n +at /)
})

test('health checks leave no line, other requests one', async () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const http = { settings: parseSettings({}), log, lifecycle: createLifecycle(), realNow: Date.now }
  const app = createWorkerServer(http)
  for (const url of ['/healthz', '/readyz', '/other']) expect((await app.inject(url)).statusCode).toBe(503)
  await app.close()
  expect(lines.filter((line) => line.includes('"status"'))).toEqual([expect.stringContaining('"path":"/other"')])
})
