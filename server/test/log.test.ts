import fs, { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLog, openLog } from '../log'

test('a log that cannot be written throws and blocks nothing; its lines come when there is space again', () => {
  jest.useFakeTimers()
  const dir = mkdtempSync(path.join(tmpdir(), 'valuation-log-'))
  const file = path.join(dir, 'log')
  const log = createLog('info', openLog(openSync(file, 'w')))
  const full = jest.spyOn(fs, 'writeSync').mockImplementation(() => {
    throw Object.assign(new Error('no space'), { code: 'ENOSPC' })
  })
  for (let n = 0; n < 3; n += 1) log.info({ n }, 'full')
  // more than is kept
  for (let n = 0; n < 20; n += 1) log.info({ text: 'x'.repeat(100_000) }, 'full')
  jest.advanceTimersByTime(10_000)
  full.mockRestore()
  jest.advanceTimersByTime(1000)
  for (let n = 0; n < 3; n += 1) log.info({ n }, 'space')
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(0, 3).map(({ n, msg }) => [n, msg])).toEqual([0, 1, 2].map((n) => [n, 'full']))
  expect(lines.slice(-3).map(({ n, msg }) => [n, msg])).toEqual([0, 1, 2].map((n) => [n, 'space']))
  expect(lines.length).toBeLessThan(20)
  rmSync(dir, { recursive: true })
  jest.useRealTimers()
})
