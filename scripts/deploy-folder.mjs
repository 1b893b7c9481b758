/**
 * `npm run build:deploy -- FOLDER`: everything a server needs to run, in an empty folder: the compiled programs, the built
 * h5 app, contents and fonts, and the packages they use. The Dockerfile and machines without containers use the same.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { build } from './build.mjs'
import { cleanInstall, ensureInstalled, fail, root, say } from './lib.mjs'

/** Files of packages that the running server never loads. Licences are kept. */
const unused = /^\.|\.(map|[cm]?ts|md|markdown|flow|tar\.gz)$|\.(browser|standalone)\b|cls_infer\.onnx$/
const licence = /licen[cs]e|notice|copying/i
/** Folders of packages: tests, documents, sources of compiled packages, and builds for bundlers and browsers. */
const unusedFolder = [
  /node_modules\/(@[^/]+\/)?[^/@]+\/(tests?|docs?|examples?|bench(marks?)?|\.yarn|dist-es)$/,
  /\/(browser|esnext|kysely\/dist\/esm|brotli\/build|(fontkit|@swc\/helpers|ml-matrix|simple-statistics)\/src)$/,
]

function prune(folder) {
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name)
    if (unusedFolder.some((pattern) => pattern.test(file))) rmSync(file, { recursive: true })
    else if (statSync(file, { throwIfNoEntry: false })?.isDirectory()) prune(file)
    else if (unused.test(name) && !licence.test(name)) rmSync(file)
  }
  if (readdirSync(folder).length === 0) rmdirSync(folder)
}

/** Removes the recogniser's programs for other systems, 150 MB. */
function pruneBinaries(modules) {
  const own = path.join('bin', 'napi-v6', process.platform, process.arch)
  const bin = path.join(modules, 'onnxruntime-node', 'bin')
  for (const entry of readdirSync(bin, { withFileTypes: true, recursive: true })) {
    const file = path.join(entry.parentPath ?? entry.path, entry.name)
    if (entry.isFile() && !file.includes(own)) rmSync(file)
  }
}

/** Whether a file of `server/` is read by the compiled programs: everything but sources and tests. */
const isData = (file) => !/\.(ts|cjs|mjs)$|tsconfig\.json$|server\/(test|research)(\/|$)/.test(file)

function megabytes(folder) {
  let bytes = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true }))
    if (entry.isFile()) bytes += statSync(path.join(entry.parentPath ?? entry.path, entry.name)).blocks * 512
  return bytes / 1e6
}

const [given] = process.argv.slice(2)
if (!given) fail('请给出目标目录，例如 npm run build:deploy -- /srv/valuation。')
const folder = path.resolve(given)
if (existsSync(folder) && readdirSync(folder).length > 0) fail(`目标目录 ${folder} 不是空的，请换一个。`)
await ensureInstalled()
if (!(await build('h5')) || !(await build('server'))) process.exit(1)
mkdirSync(folder, { recursive: true })
for (const file of ['package.json', 'package-lock.json', '.npmrc', 'tools/noop', 'dist/h5', 'dist/server', 'deploy'])
  cpSync(path.join(root, file), path.join(folder, file), { recursive: true })
cpSync(path.join(root, 'server'), path.join(folder, 'server'), { recursive: true, filter: isData })
if (!(await cleanInstall('安装运行所需的依赖', folder, ['--omit=dev'])))
  fail('依赖安装失败：请检查网络或 npm 源后重试。')
prune(path.join(folder, 'node_modules'))
pruneBinaries(path.join(folder, 'node_modules'))
const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'))
say(
  `✓ ${version} 已放入 ${folder}（${megabytes(folder).toFixed(0)} MB）：node --enable-source-maps dist/server/main.js`,
)
