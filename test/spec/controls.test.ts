/** docs/controls.md: which component of ui/ wraps which one of NutUI, and why the others do not. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(__dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

const rows = read('docs/controls.md')
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .slice(2)
  .map((line) => line.slice(1, -1).split('|'))
  .map(([parts = '', nut = '', why = '']) => ({ parts: names(parts), nut: names(nut), why: why.trim() }))

function names(cell: string) {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name).sort()
}

const sources = readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })

const folders = readdirSync(path.join(root, 'src/ui'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** NutUI imports of a folder of ui/; no other folder may import it. */
const imported = (folder: string) =>
  isElsewhere(folder)
    ? []
    : readdirSync(path.join(root, 'src/ui', folder))
        .filter((file) => /\.tsx?$/.test(file))
        .flatMap((file) => [...read(`src/ui/${folder}/${file}`).matchAll(/import \{([^}]+)\} from '@nutui/g)])
        .flatMap(([, list = '']) => list.split(',').map((name) => name.trim().split(' as ')[0] ?? ''))
        .sort()

/** A component outside of ui/ is named by its path. */
const isElsewhere = (part: string) => part.includes('/')
const parts = rows.flatMap((row) => row.parts)

it('has each part once', () => {
  expect(parts.filter((part) => !isElsewhere(part)).sort()).toEqual(folders.sort())
})

it('names existing files for parts drawn elsewhere', () => {
  const missing = parts.filter(isElsewhere).filter((part) => !sources.some((file) => file.startsWith(`${part}.ts`)))
  expect(missing).toEqual([])
})

it.each(rows.map((row) => [row.parts.join(', '), row] as const))(
  '%s: imports what the document says, and says why',
  (_, { parts, nut, why }) => {
    expect(parts.flatMap(imported)).toEqual(nut)
    if (nut.length === 0) expect(why.length).toBeGreaterThanOrEqual(20)
  },
)

it('every icon named by a NutUI control in use has a replacement', () => {
  const stub = [...read('config/shims/nutui-icons.js').matchAll(/Nothing as (\w+)/g)].map(([, name]) => name).sort()
  const folder = 'node_modules/@nutui/nutui-react-taro/dist/es/packages'
  // including the parts that these render
  const nutui = [...rows.flatMap((row) => row.nut), 'Button', 'Overlay'].map((name) => name.toLowerCase())
  const icons = nutui.flatMap((name) =>
    [...read(`${folder}/${name}/${name}.js`).matchAll(/import \{([^}]+)\} from "@nutui\/icons-react-taro"/g)].flatMap(
      ([, list = '']) => list.split(',').map((name) => name.trim().split(' as ')[0]),
    ),
  )
  expect(stub).toEqual([...new Set(icons)].sort())
})
