import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.join(__dirname, '../../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

test('every alarm has a line in the runbook, and every line an alarm', () => {
  const alarms = [...read('deploy/prometheus/alerts.yml').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
  const [, runbook = ''] = read('docs/deployment.md').split('## Runbook')
  const lines = [...runbook.matchAll(/^\| `(Valuation\w+)`/gm)].map(([, name]) => name)
  expect(alarms.length).toBeGreaterThan(10)
  expect(lines.sort()).toEqual(alarms.sort())
})

test('every message of a log line with an alarm is in the runbook, and no other', () => {
  const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/^(test|observability)\//.test(file))
    .map((file) => read(`server/${file}`))
  const uses = sources.flatMap((text) => [
    ...text.matchAll(/[{,] alarm(?:: true)?(?:,| \})[\s\S]*?(?:'([^'\n]+)',?\s*\)|alarms\[)/g),
  ])
  const [table = ''] = /const alarms: [\s\S]+?\n\}/.exec(sources.join('\n')) ?? []
  const messages = [
    ...uses.flatMap(([, message]) => message ?? []),
    ...[...table.matchAll(/: '([^']+)'/g)].map(([, m]) => m),
  ]
  const [, runbook = ''] = read('docs/deployment.md').split('`ValuationAlarm` by message')
  const lines = [...runbook.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) =>
    cell.split(/`(?:, `)?/).filter(Boolean),
  )
  expect(messages.length).toBeGreaterThan(15)
  expect(lines.sort()).toEqual([...new Set(messages)].sort())
})
