/**
 * `npm run load:run` in its shortest form: docs/scale.md is printed by it, and nothing else runs its trainings, baseline
 * server and deletions. Figures are not judged here.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from './temp'

test('load:run measures every figure on its own database', async () => {
  const options = ['--json', '--seconds', '1', '--rounds', '1', '--idle', '1', '--only', 'user/get']
  const env = { ...process.env, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'load:run', '--', ...options], { cwd: root, env })
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(result.calls).toEqual([
    expect.objectContaining({ name: 'user/get', ratio: expect.any(Number), baseline: expect.anything() }),
  ])
  expect(result.idle).toMatchObject({ processes: 2, databaseSeconds: expect.any(Number) })
  expect(result.training).toMatchObject({ idle: { failed: 0 }, training: { failed: 0 } })
  expect(result.overload).toMatchObject({ best: { others: 0 }, over: { others: 0 } })
  expect(result.erasure.ms).toHaveLength(3)
})
