import { startProcess } from '../test/process'

jest.setTimeout(600_000)

test('over a replayed year the error falls to less than half while real sales replace the generated ones', async () => {
  const tool = startProcess({}, 'server/research/model-replay.ts', ['--game=naraka'])
  expect(await tool.ended).toBe(0)
  const rows = tool
    .output()
    .split('\n')
    .filter((line) => /^\| \d/.test(line))
    .map((line) => line.split('|').map((cell) => Number.parseFloat(cell)))
  expect(rows.map(([, month]) => month)).toEqual(Array.from({ length: 12 }, (_, i) => i + 1))
  const column = (i: number) => rows.map((row) => row[i] ?? Number.NaN)
  const [shares, errors, coverages] = [column(3), column(5), column(6)]
  expect([shares[0], shares.at(-1)]).toEqual([100, 0])
  expect(shares).toEqual([...shares].sort((a, b) => b - a))
  const mean = (list: readonly number[]) => list.reduce((sum, n) => sum + n, 0) / list.length
  expect(mean(errors.slice(-3))).toBeLessThan(0.5 * (errors[0] ?? 0))
  expect(mean(coverages.slice(-6))).toBeGreaterThan(70)
})
