/**
 * Packages of hundreds of small modules as one file each, in .cache: jest loads every module again for every test file,
 * and most of what a server test computes before its first line was that. The packages themselves are the real ones.
 */
const { existsSync, mkdirSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { buildSync } = require('esbuild')

const root = path.join(__dirname, '..', '..')
const folder = path.join(root, '.cache/jest-bundles')

const packages = {
  // its parts share state: they must come from one bundle
  typebox: ['typebox', 'typebox/compile', 'typebox/value'],
  kysely: ['kysely'],
}

const fileOf = (home, entry) => path.join(home, `${entry.replace('/', '.')}.js`)

function made(name, entries) {
  const { version } = require(path.join(root, 'node_modules', name, 'package.json'))
  const home = path.join(folder, `${name}-${version}`)
  if (existsSync(home)) return home
  const contents = entries.map((entry, i) => `export * as part${i} from '${entry}'`).join('\n')
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    logLevel: 'warning',
  })
  const fresh = `${home}-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  writeFileSync(path.join(fresh, 'all.js'), outputFiles[0].contents)
  for (const [i, entry] of entries.entries())
    writeFileSync(
      fileOf(fresh, entry),
      `module.exports = Object.defineProperty({ ...require('./all').part${i} }, '__esModule', { value: true })\n`,
    )
  // another run may have written it
  if (!existsSync(home)) renameSync(fresh, home)
  return home
}

/** For jest's moduleNameMapper. */
module.exports = Object.fromEntries(
  Object.entries(packages).flatMap(([name, entries]) => {
    const home = made(name, entries)
    return entries.map((entry) => [`^${entry}$`, fileOf(home, entry)])
  }),
)
