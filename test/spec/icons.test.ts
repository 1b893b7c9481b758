/** Styles of the icons: home loads those it shows, all other pages the whole family. */
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { iconNames } from '@/ui/Icon/names'

const root = path.resolve(__dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

/** Icons drawn by a style sheet. */
const drawn = (file: string) => Array.from(read(file).matchAll(/^ {4}'([\w-]+)': "</gm), ([, name = '']) => name)

const ofHome = drawn('src/ui/Icon/Icon.scss')
const deferred = drawn('src/ui/Icon/deferred.scss')

/** Modules of the frame of every page and of the page `entry`, with those they load later. */
function sources(platform: string, entry: string): string[] {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ['src/app.tsx', entry],
    outdir: 'never-written',
    write: false,
    bundle: true,
    external: ['@tarojs/*', '@nutui/*', 'react', 'react/*', 'jotai', 'weixin-js-sdk', 'js-md5'],
    resolveExtensions: [`.${platform}.tsx`, `.${platform}.ts`, '.tsx', '.ts', '.js'],
    loader: { '.scss': 'empty' },
    metafile: true,
    logLevel: 'error',
  })
  return Object.keys(metafile.inputs).filter((file) => file.startsWith('src/'))
}

/** Icons named in a file: strings in lines that mention icons. */
const named = (file: string) =>
  read(file)
    .split('\n')
    .filter((line) => /icon/i.test(line) && !/^import |className=/.test(line.trim()))
    .flatMap((line) => Array.from(line.matchAll(/'([\w-]+)'/g), ([, text = '']) => text))

it('draws every icon once', () => {
  expect([...ofHome, ...deferred].sort()).toEqual([...iconNames].sort())
})

it.each(['h5', 'weapp'])('home on %s uses no icon that its styles lack', (platform) => {
  const files = sources(platform, 'src/pages/home/index.tsx')
  expect(files).toContain('src/ui/Icon/Icon.scss')
  expect(files).not.toContain('src/ui/Icon/deferred.scss')
  const found = files.filter((file) => file.endsWith('.tsx') || file.endsWith('copy.ts')).flatMap(named)
  expect(found.filter((text) => deferred.includes(text))).toEqual([])
  // and has no style that is not needed
  expect(ofHome.filter((name) => !found.includes(name))).toEqual([])
})

it('every other page loads the remaining icons', () => {
  const pages = ['src/pages', 'src/pagesA'].flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.tsx') && !file.includes('.test.'))
      .map((file) => `${folder}/${file}`),
  )
  const without = pages.filter((file) => !read(file).includes("from '@/router/page'"))
  expect(without).toEqual(['src/pages/home/index.tsx'])
  expect(read('src/router/page.ts')).toContain("import '../ui/Icon/deferred.scss'")
})
