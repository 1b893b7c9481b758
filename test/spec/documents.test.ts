/** Checks documents: links, files, settings and commands exist, and documents stay short. */
import { execFile } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { documentKeyText } from '@/contract/labels'
import { copy as auth } from '@/features/auth/copy'
import { related } from '@/features/content/copy'
import { copy as mine } from '@/features/mine/copy'
import { routes } from '@/router/routes'

const root = path.resolve(__dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')
const documents = [
  ...['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'],
  ...readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => path.join('docs', name)),
].filter((name) => name.endsWith('.md'))
const { scripts, engines } = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>
  engines: { node: string }
}

test.each(documents)('%s: links and commands exist', (file) => {
  const text = read(file)
  const links = Array.from(
    text.matchAll(/\]\(([^)#\s]+)[^)]*\)|<img src="([^"]+)"/g),
    ([, link, image]) => link ?? image ?? '',
  )
  const local = links.filter((link) => !/^https?:/.test(link))
  expect(local.filter((link) => !existsSync(path.join(root, path.dirname(file), link)))).toEqual([])
  const commands = Array.from(text.matchAll(/\bnpm run ([\w:-]*\w)/g), ([, name = '']) => name)
  expect(commands.filter((name) => !(name in scripts))).toEqual([])
})

/** Paths of the files below a folder, without installed packages. */
const below = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const name = path.posix.join(folder, entry.name)
    if (entry.isDirectory()) return /^(node_modules|dist.*|\.git|\.cache|data)$/.test(entry.name) ? [] : below(name)
    return [name]
  })
const files = below('.')
const sources = files.filter((name) => /\.(ts|tsx|mjs|cjs|js|sh|yml)$|^\.ci\//.test(name) && !name.endsWith('.test.ts'))

test.each(documents)('%s: files and settings exist', (file) => {
  const named = Array.from(read(file).matchAll(/`([\w@.,/{}-]+)`/g), ([, name = '']) => name)
  const ending = /\.(tsx?|mjs|cjs|json|sql|md|yml|sh|ttf|woff2)$/
  const paths = named.filter((name) => ending.test(name) || /^(src|server|test|docs|scripts|deploy|bench)\//.test(name))
  const isThere = (name: string) => files.some((found) => `/${found}`.includes(`/${name.replace(/\/$/, '')}`))
  const examples = /^x\.|YYYYMMDD/
  expect(paths.filter((name) => !examples.test(name) && !isThere(name))).toEqual([])
  const settings = named.filter((name) => /^[A-Z][A-Z0-9]*_[A-Z0-9_]+$/.test(name))
  expect(settings.filter((name) => !sources.some((source) => read(source).includes(name)))).toEqual([])
})

/** Watches until it is stopped, by jest's own program. */
const WATCH = 'test:watch'

test.each(Object.entries(scripts).filter(([name]) => name !== WATCH))('%s says how it is used', async (_, command) => {
  const [program = '', ...args] = [...command.split(' '), '--help']
  const { stdout } = await promisify(execFile)(program, args, { cwd: root })
  expect(stdout).toMatch(/^`npm (run|test|start)/)
})

test('the files that answer "Where is …?" exist', () => {
  const [, section = ''] = /## Where is …\?\n([\s\S]*?)(?:\n\nMore: |$)/.exec(read('ARCHITECTURE.md')) ?? []
  const rows = section.split('\n').filter((line) => /^\|.*`/.test(line))
  expect(rows.length).toBeGreaterThanOrEqual(20)
  for (const row of rows) {
    const files = Array.from(row.matchAll(/`([^`]+\.tsx?)`/g), ([, name = '']) => name)
    const folders = ['', path.dirname(files[0] ?? ''), 'server/domains', 'src']
    const missing = files.filter((name) => !folders.some((folder) => existsSync(path.join(root, folder, name))))
    expect({ row, missing, named: files.length > 0 }).toEqual({ row, missing: [], named: true })
  }
})

/** Titles of the tests in a file, with what `each` fills in as `…`. */
const titlesIn = (file: string) =>
  Array.from(read(file).matchAll(/\(\s*(['"`])((?:(?!\1)[^\n])+)\1,\s*(?:async )?\(/g), ([, , title = '']) =>
    title.replace(/%[sp]|\$[\w.]+/g, '…'),
  )

test('every promise of the checkout names tests that exist', () => {
  const [, section = ''] = /## Promises of the checkout.*\n([\s\S]*?)\n## /.exec(read('docs/human-valuation.md')) ?? []
  const rows = section.split('\n').filter((line) => /^\| (?!promise|---)/.test(line))
  expect(rows.length).toBeGreaterThanOrEqual(20)
  const given = Array.from(section.matchAll(/`([\w./-]+\.test\.tsx?)`/g), ([, name = '']) => name)
  // some are named without the folder that a row above gives
  const fileOf = (name: string) =>
    [name, ...given.filter((file) => file.endsWith(`/${name}`))]
      .flatMap((file) => ['server/test/', 'server/', ''].map((folder) => folder + file))
      .find((file) => existsSync(path.join(root, file)))
  for (const row of rows) {
    let file: string | undefined
    let named = 0
    for (const [, test, title = ''] of row.matchAll(/`([\w./-]+\.test\.tsx?)`|\*([^*]+)\*/g)) {
      if (test) file = fileOf(test)
      named += test ? 1 : 0
      if (test) expect({ test, file }).toEqual({ test, file: expect.any(String) })
      // parts of a title stand for the whole one
      const parts = title.split('…').map((part) => part.trim())
      const isIn = (whole: string) =>
        parts.reduce((index, part) => (index < 0 ? index : whole.indexOf(part, index)), 0) >= 0
      if (title) expect({ title, found: titlesIn(file ?? '').some(isIn) }).toEqual({ title, found: true })
    }
    expect({ row, named: named > 0 || row.includes('`contract/') }).toEqual({ row, named: true })
  }
})

test('documents are short, pictures are small', () => {
  const lines = (file: string) => read(file).split('\n').length - 1
  expect(lines('README.md')).toBeLessThanOrEqual(90)
  expect(statSync(path.join(root, 'ARCHITECTURE.md')).size).toBeLessThanOrEqual(8_000)
  const words = documents.map((file) => read(file).split(/\s+/).length)
  expect(words.reduce((total, n) => total + n, 0)).toBeLessThanOrEqual(15_000)
  const pictures = readdirSync(path.join(root, 'docs/img'))
  expect(pictures.filter((name) => statSync(path.join(root, 'docs/img', name)).size > 60_000)).toEqual([])
})

test('pictures that users load are small', () => {
  const inContent = readdirSync(path.join(root, 'server/content'), { recursive: true, encoding: 'utf8' })
  const pictures = inContent.filter((name) => /\.(png|webp|jpg)$/.test(name))
  expect(pictures.length).toBeGreaterThan(3)
  const size = (name: string) => statSync(path.join(root, 'server/content', name)).size
  expect(pictures.filter((name) => size(name) > 12_000)).toEqual([])
})

const workflows = readdirSync(path.join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`)

test.each(workflows)('%s: commands exist', (file) => {
  const names = Array.from(read(file).matchAll(/(?:npm run |')([a-z]+:[\w:]+)/g), ([, name = '']) => name)
  expect(names).not.toEqual([])
  expect(names.filter((name) => !(name in scripts))).toEqual([])
})

test('.nvmrc, the image and the workflows use the newest version that package.json supports', () => {
  const newest = /\^(\d+)\.0\.0$/.exec(engines.node)?.[1]
  expect(read('.nvmrc').trim()).toBe(newest)
  expect([...read('Dockerfile').matchAll(/^FROM node:(\d+)/gm)].map(([, version]) => version)).toEqual([newest, newest])
  expect(read('.github/workflows/ci.yml')).toContain(`node: ['${newest}']`)
  expect(read('.github/workflows/release.yml')).toContain(`node:${newest}-bookworm`)
})

test('the pages that texts for users lead to have these names', () => {
  const strings = (node: unknown): string[] =>
    typeof node === 'string' ? [node] : Object.values(node ?? {}).flatMap((value) => strings(value))
  const titles = Object.values(routes).map(({ title }) => title)
  const names = new Set([
    ...titles,
    ...strings(mine),
    auth.off.title,
    ...Object.values(related)
      .flat()
      .map((key) => documentKeyText[key]),
  ])
  const folder = path.join(root, 'server/content')
  const texts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'))
  const ways = texts.flatMap((name) =>
    Array.from(readFileSync(path.join(folder, name), 'utf8').matchAll(/“([^”]* → [^”]*)”/g), ([, way = '']) => way),
  )
  expect(ways.length).toBeGreaterThan(3)
  expect(ways.filter((way) => way.split(' → ').some((name) => !names.has(name)))).toEqual([])
})
