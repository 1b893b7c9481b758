/**
 * Packages of hundreds of small modules as one file each, in .cache: jest loads every module again for every test file,
 * and most of what a server test computes before its first line was that. The packages themselves are the real ones.
 */
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { buildSync } = require('esbuild')

const root = path.join(__dirname, '..', '..')

/** Those that share state, or modules, are in one bundle. None reads files beside its own. */
const bundles = {
  typebox: ['typebox', 'typebox/compile', 'typebox/value'],
  kysely: ['kysely'],
  http: [
    'fastify',
    '@fastify/helmet',
    '@fastify/multipart',
    '@fastify/static',
    '@fastify/swagger',
    '@fastify/under-pressure',
    'pino',
  ],
  pg: ['pg'],
  numbers: ['ml-matrix', 'simple-statistics'],
  'prom-client': ['prom-client'],
}

/** Changes with the version of any package, and with this file. */
const state = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .update(readFileSync(__filename))
  .digest('hex')
  .slice(0, 16)
const home = path.join(root, '.cache/jest-bundles', state)

/** Bundles taken from outside the sandbox (node-environment.js): nothing asks whose Error or Array theirs are. */
const outside = ['kysely', 'typebox']

/** The exports of ESM are getters in a bundle, slow at every access: plain values instead. */
const entryOf = (name, file, i) => `const exported = ${outside.includes(name) ? load : 'require'}('${file}').part${i}()
module.exports = exported.__esModule
  ? Object.defineProperty({ ...exported }, '__esModule', { value: true })
  : exported
`
/** Processes that tests start use the bundles too (server/test/bundle.ts), and have no sandbox. */
const load = '(globalThis.requireOutside ?? require)'

function bundle(folder, name, entries) {
  // each is evaluated when it is required
  const contents = entries.map((entry, i) => `exports.part${i} = () => require('${entry}')`).join('\n')
  const file = path.join(folder, 'bundles', `${name}.js`)
  buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    outfile: file,
    minifyWhitespace: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['pg-native'],
    logLevel: 'warning',
  })
  for (const [i, entry] of entries.entries()) {
    const own = path.join(folder, `${entry}.js`)
    mkdirSync(path.dirname(own), { recursive: true })
    writeFileSync(own, entryOf(name, `${home}/bundles/${name}.js`, i))
  }
}

if (!existsSync(home)) {
  const fresh = `${home}-${process.pid}`
  for (const [name, entries] of Object.entries(bundles)) bundle(fresh, name, entries)
  // another run may have written it
  if (!existsSync(home)) renameSync(fresh, home)
}

/** For jest's moduleNameMapper: one pattern, because jest tries each of them for every import. */
module.exports = { [`^(${Object.values(bundles).flat().join('|')})$`]: path.join(home, '$1.js') }
