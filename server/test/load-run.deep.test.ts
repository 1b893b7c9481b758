/**
 * `npm run load:run` in its shortest form: the figures of docs/scale.md are printed by it, and nothing else runs its
 * baseline server. Figures are not judged here.
 */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from './temp'

test('load:run measures every figure on its own database', async () => {
  const options = ['--json', '--seconds', '1', '--rounds', '1', '--idle', '1']
  const env = { ...process.env, DATABASE_URL: '' }
  const { stdout } = await promisify(execFile)('npm', ['run', '-s', 'load:run', '--', ...options], { cwd: root, env })
  const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
  expect(result.calls.map(({ name }: { name: string }) => name)).toEqual(['user/get', 'report/get', 'order/list'])
  for (const call of result.calls) expect(call).toMatchObject({ ratio: expect.any(Number), failed: 0 })
  expect(result.idle).toMatchObject({ processes: 2, databaseSeconds: expect.any(Number) })
  expect(result.overload).toMatchObject({ best: { failed: 0 }, over: { failed: 0 } })
})
