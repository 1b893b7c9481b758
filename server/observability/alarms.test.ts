import { readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(__dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

test('every alarm has a line in the runbook, and every line an alarm', () => {
  const alarms = [...read('deploy/prometheus/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const [, runbook = ''] = read('docs/deployment.md').split('## When an alarm sounds')
  const lines = [...runbook.matchAll(/^\| `(Valuation\w+)`/gm)].map(([, name]) => name)
  expect(alarms.length).toBeGreaterThan(10)
  expect(lines.sort()).toEqual(alarms.sort())
})
