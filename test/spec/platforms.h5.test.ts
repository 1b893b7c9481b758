/** docs/platforms.md: every port with two implementations has a row, and every row names its tests. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { unusedAttribute } from '../../config/templates'

const root = path.resolve(__dirname, '../..')
const filesBelow = (dir: string) =>
  readdirSync(path.join(root, dir), { recursive: true, encoding: 'utf8' }).map((f) => `/${f.replaceAll('\\', '/')}`)
const sources = filesBelow('src')

const rows = readFileSync(path.join(root, 'docs/platforms.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )

const quoted = (cell: string | undefined) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)
/** `Cell as NutCell, Step` → cell, step */
const importedNames = (list = '') =>
  list
    .split(',')
    .map((name) => name.trim().replace(/ .*/, '').toLowerCase())
    .filter(Boolean)
/** `a.{b,c}` → a.b, a.c */
function spread(name: string): string[] {
  const [, before = '', list, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(name) ?? []
  return list === undefined ? [name] : list.split(',').map((part) => `${before}${part}${after}`)
}
const isTest = (name: string) =>
  ['.test.ts', '.test.tsx'].some((ending) =>
    /^(test|server)\//.test(name)
      ? existsSync(path.join(root, name + ending))
      : sources.some((file) => file.endsWith(`/${name}${ending}`)),
  )

it('has a row for every port', () => {
  const where = rows.flatMap((cells) => quoted(cells[0]))
  const ports = readdirSync(path.join(root, 'src/platform'))
  expect(ports.filter((port) => !where.includes(`platform/${port}`))).toEqual([])
})

it("calls WeChat's api by way of Taro", () => {
  const product = sources.filter((file) => /\.tsx?$/.test(file) && !/\.test\./.test(file))
  const calls = (file: string) => /^[^/*]*\bwx\.\w+\(/m.test(readFileSync(path.join(root, 'src', file), 'utf8'))
  // in WeChat's browser `wx` is the JS-SDK, a package
  expect(product.filter(calls)).toEqual(['/platform/meta/wechat.ts'])
})

it('CONTRIBUTING.md: business code never asks which platform it is on', () => {
  const asks = /\bdevice\.platform\s*[=!]==|process\.env\.TARO_ENV/
  const business = sources.filter((file) => /\.tsx?$/.test(file) && !/^\/platform\/|\.(test|gallery)\./.test(file))
  const text = (file: string) => readFileSync(path.join(root, 'src', file), 'utf8')
  expect(business.filter((file) => asks.test(text(file)))).toEqual([])
})

it("sets no attribute that the mini-program's templates leave out", () => {
  const ours = sources
    .filter((file) => file.endsWith('.tsx'))
    .map((file) => readFileSync(path.join(root, 'src', file), 'utf8'))
  const imported = ours.flatMap((text) =>
    importedNames(/import \{([^}]+)\} from '@nutui\/nutui-react-taro'/.exec(text)?.[1]),
  )
  // Popup draws Overlay
  const theirs = [...imported, 'overlay'].map((name) =>
    readFileSync(require.resolve(`@nutui/nutui-react-taro/dist/es/packages/${name}/${name}.js`), 'utf8'),
  )
  const names = [...ours, ...theirs].flatMap((text) =>
    Array.from(text.matchAll(/\b([a-z]\w+)(?:=[{'"]|: )/g), ([, name = '']) => name),
  )
  const attribute = (name: string) =>
    name.startsWith('on') ? name.replace('on', 'bind').toLowerCase() : name.replace(/[A-Z]/g, '-$&').toLowerCase()
  expect(names).toEqual(expect.arrayContaining(['hoverClass', 'scrollIntoView', 'onTransitionEnd']))
  expect(names.filter((name) => unusedAttribute.test(attribute(name)))).toEqual([])
})

it.each(rows.map((cells) => [cells[0] ?? '', cells] as const))(
  '%s: four cells, why h5 does not use Taro, and tests that are there',
  (_, cells) => {
    expect(cells).toHaveLength(4)
    expect(cells[2]).toMatch(/^(–|used|lacks it|wrong: .+)$/)
    const tests = quoted(cells[3]).flatMap(spread)
    expect(tests).not.toEqual([])
    expect(tests.filter((name) => !isTest(name))).toEqual([])
  },
)
