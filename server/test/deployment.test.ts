/** What the guides for operators, the units and the dashboards name exists in the code. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Registry } from 'prom-client'
import { createClock } from '../core/clock'
import { createLog } from '../core/log'
import { registerDatabaseGauges } from '../core/observability/database-gauges'
import { createMetrics } from '../core/observability/metrics'
import { root, tempFolder } from './temp'

const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const all = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(([, found = '']) => found))]
const guides = ['docs/deployment.md', 'docs/operations.md'].map(read).join('\n')
const units = readdirSync(path.join(root, 'deploy/systemd'))

test.each(units.filter((unit) => unit.endsWith('.service')))('%s has the folders that it names', (unit) => {
  const text = read(`deploy/systemd/${unit}`)
  const made = (/^StateDirectory=(.+)$/m.exec(text)?.[1] ?? '').split(' ').map((name) => `/var/lib/${name}`)
  const folders = all(text, /_DIR=(\S+)/g)
  expect(folders).toContain('/var/lib/valuation')
  expect(made).toEqual(expect.arrayContaining(folders))
  expect(text).not.toMatch(/ReadWritePaths/)
})

test('the guides name units, npm scripts and files that exist', () => {
  const names = all(guides, /\b(valuation-(?:web|worker|backup|migrate)[@.\w]*)/g)
  expect(names.length).toBeGreaterThan(3)
  for (const name of names) {
    const unit = name.replace(/@\d+$/, '@').replace(/\.$/, '')
    expect(units).toContain(unit.includes('.') ? unit : `${unit}.service`)
  }
  const { scripts } = JSON.parse(read('package.json'))
  for (const script of all(guides, /npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script)
  const files = all(guides, /\b((?:deploy|server|docs|bench|src)\/[\w/.@-]*\w\.(?:ts|md|mjs|sh|json|yml))\b/g)
  for (const file of files) expect([file, existsSync(path.join(root, file))]).toEqual([file, true])
  const tools = all(guides, /dist\/server\/([\w-]+)\.js/g).filter((name) => name !== 'main')
  for (const tool of tools) expect([tool, existsSync(path.join(root, `server/cli/${tool}.ts`))]).toEqual([tool, true])
})

test('every setting of the server is in the guide', () => {
  const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /(^|\/)settings\.ts$/.test(file))
    .map((file) => read(`server/${file}`))
    .join('\n')
  const names = all(sources, /(?:\(env, |\w: )'([A-Z][A-Z0-9_]+)'/g).filter((name) => name !== 'MINI' && name !== 'MP')
  expect(names.length).toBeGreaterThan(40)
  const guide = read('docs/operations.md')
  expect(names.filter((name) => !guide.includes(`\`${name}\``))).toEqual([])
})

test('the settings of the guide are read by the server', () => {
  const names = all(guides, /`((?:[A-Z][A-Z0-9]*_)[A-Z0-9_]*[A-Z0-9])`/g)
  const sources = readdirSync(path.join(root, 'server'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => read(`server/${file}`))
    .concat(
      read('src/contract/errors.ts'),
      read('deploy/backup.sh'),
      read('deploy/restore.sh'),
      read('config/index.ts'),
    )
    .join('\n')
  expect(names.length).toBeGreaterThan(40)
  expect(names.filter((name) => !sources.includes(name))).toEqual([])
})

/** The registries of a server's metrics. */
function registries() {
  const { registry, pool } = createMetrics()
  const load = { longestWait: () => 0, onWaited: () => undefined }
  for (const name of ['requests', 'background']) pool(name, load)
  const own = new Registry()
  registerDatabaseGauges(own, {
    db: {} as never,
    clock: createClock(),
    log: createLog('silent'),
    jobs: [],
  })
  return [registry, own]
}

test('alerts and dashboard read metrics that are exported, and every one of ours', () => {
  const exported = registries().flatMap((registry) => registry.getMetricsAsArray().map(({ name }) => name))
  const text = read('deploy/prometheus/alerts.yml') + read('deploy/grafana/valuation.json')
  const names = all(text, /\b((?:valuation|nodejs|process)_\w+)/g).map((name) => name.replace(/_bucket$/, ''))
  expect(names.length).toBeGreaterThan(15)
  expect(names.filter((name) => !exported.includes(name))).toEqual([])
  const ours = exported.filter((name) => name.startsWith('valuation_'))
  expect(ours.filter((name) => !names.includes(name))).toEqual([])
  expect(ours.length).toBeLessThanOrEqual(25)
})

test('the metrics of every process in compose.yml are collected, and a release replaces each', () => {
  const services = all(read('compose.yml'), /^ {2}(\w+):(?: &\w+)?(?=\n {4}<<: \*(?:server|web)$)/gm)
  const processes = services.filter((name) => name !== 'migrate').sort()
  expect(processes.length).toBeGreaterThan(2)
  expect(all(read('deploy/prometheus/compose.yml'), /(\w+):9464/g).sort()).toEqual(processes)
  const [, replaced = ''] = /for one in ([\w ]+); do docker compose up/.exec(guides) ?? []
  expect(replaced.split(' ').sort()).toEqual(processes)
})

test('Prometheus keeps the label `job` of the metrics of background jobs', () => {
  const labels = registries().flatMap((registry) => registry.getMetricsAsArray() as { labelNames?: string[] }[])
  expect(labels.flatMap(({ labelNames = [] }) => labelNames)).toContain('job')
  for (const file of ['compose', 'prometheus'])
    expect(read(`deploy/prometheus/${file}.yml`)).toMatch(/job_name: valuation\n(?: {4}.*\n)*? {4}honor_labels: true\n/)
})

describe('the programs that read the files of deploy accept them', () => {
  /** A test that is skipped where the program is not installed. */
  const withProgram = (program: string) => (spawnSync(program, ['--help']).error ? test.skip : test)
  let folder: string
  beforeEach(() => {
    folder = tempFolder('valuation-test-deploy-')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const put = (name: string, text: string) => {
    const file = path.join(folder, name)
    writeFileSync(file, text)
    return file
  }
  function accept(program: string, args: string[], env: Record<string, string> = {}) {
    const options = { cwd: path.join(root, 'deploy'), encoding: 'utf8', env: { ...process.env, ...env } } as const
    const { status, stdout, stderr } = spawnSync(program, args, options)
    expect([status, stdout + stderr]).toEqual([0, expect.anything()])
  }

  withProgram('promtool')('promtool: configurations, alert rules and their test, expressions of the dashboard', () => {
    for (const file of ['compose', 'prometheus'])
      accept('promtool', ['check', 'config', '--syntax-only', `prometheus/${file}.yml`])
    accept('promtool', ['check', 'rules', 'prometheus/alerts.yml'])
    accept('promtool', ['test', 'rules', 'prometheus/alerts.test.yml'])
    const expressions = all(read('deploy/grafana/valuation.json'), /"expr": ("(?:[^"\\]|\\.)*")/g)
    expect(expressions.length).toBeGreaterThan(15)
    const rules = expressions.map((expr, n) => ({ record: `panel_${n}`, expr: JSON.parse(expr) }))
    accept('promtool', ['check', 'rules', put('panels.yml', JSON.stringify({ groups: [{ name: 'panels', rules }] }))])
  })

  withProgram('caddy')('caddy: the proxy’s configuration', () => {
    const env = { DOMAIN: 'app.example.com', S3_DOMAIN: 'pictures.example.com', HOME: folder }
    accept('caddy', ['validate', '--adapter', 'caddyfile', '--config', 'Caddyfile'], env)
  })

  withProgram('systemd-analyze')('systemd-analyze: the units', () => {
    const files = units.map((unit) => {
      // as they are installed: programs must exist
      const text = read(`deploy/systemd/${unit}`).replaceAll('/srv/valuation/current', root)
      return put(unit, text.replaceAll('/usr/bin/node', process.execPath))
    })
    accept('systemd-analyze', ['verify', ...files.map((file) => file.replace('@.service', '@3001.service'))])
  })
})
