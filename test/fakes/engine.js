/**
 * The engine as one file in .cache, loaded outside jest's sandbox once for all files of a worker: there its arithmetic
 * is compiled once, and is several times faster. For tests of the server; those of the engine run its own files.
 */
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readdirSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { buildSync } = require('esbuild')

const root = path.join(__dirname, '..', '..')
const names = readdirSync(path.join(root, 'server/engine'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => path.basename(file, '.ts'))

const { outputFiles } = buildSync({
  stdin: {
    contents: names.map((name) => `exports['${name}'] = () => require('./server/engine/${name}')`).join('\n'),
    resolveDir: root,
  },
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'cjs',
  tsconfig: path.join(root, 'server/tsconfig.json'),
  logLevel: 'warning',
})
const [{ contents }] = outputFiles
const state = createHash('sha256').update(contents).digest('hex').slice(0, 16)
const home = path.join(root, '.cache/jest-bundles', `engine-${state}`)

const entryOf = (name) => `const engine = globalThis.requireOutside('${home}/all/engine.js')
module.exports = Object.defineProperty({ ...engine['${name}']() }, '__esModule', { value: true })
`

if (!existsSync(home)) {
  const fresh = `${home}-${process.pid}`
  mkdirSync(path.join(fresh, 'all'), { recursive: true })
  writeFileSync(path.join(fresh, 'all', 'engine.js'), contents)
  for (const name of names) writeFileSync(path.join(fresh, `${name}.js`), entryOf(name))
  // another run may have written it
  if (!existsSync(home)) renameSync(fresh, home)
}

/** For jest's moduleNameMapper. Not while lines are counted: those that only the server's tests run would be lost. */
module.exports = process.argv.some((argument) => argument.startsWith('--coverage'))
  ? {}
  : { '^(?:\\.\\./)+engine/(.+)$': path.join(home, '$1.js') }
