/**
 * Packages of hundreds of small modules as one file each, in .cache: jest loads every module again for every test file,
 * and most of what a server test computes before its first line was that. The packages themselves are the real ones.
 */
const { createHash } = require('node:crypto')
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs')
const path = require('node:path')
const { buildSync } = require('esbuild')

const root = path.join(__dirname, '..', '..')
const folder = path.join(root, '.cache/jest-bundles')

/** Packages by bundle: those that share state, or modules, are in one. Not those that read files beside their own. */
const bundles = {
  typebox: ['typebox', 'typebox/compile', 'typebox/value'],
  kysely: ['kysely'],
  http: [
    'fastify',
    '@fastify/helmet',
    '@fastify/multipart',
    '@fastify/rate-limit',
    '@fastify/static',
    '@fastify/swagger',
    '@fastify/under-pressure',
    'pino',
  ],
  pg: ['pg'],
  ioredis: ['ioredis'],
  numbers: ['ml-matrix', 'simple-statistics'],
  'prom-client': ['prom-client'],
}

const fileOf = (home, entry) => path.join(home, `${entry.replace('/', '.')}.js`)

/** Changes with the version of any package, and with this file. */
const state = createHash('sha256')
  .update(readFileSync(path.join(root, 'package-lock.json')))
  .update(readFileSync(__filename))
  .digest('hex')
  .slice(0, 16)

/** The whole of a package whose exports are getters: what a bundle makes of ESM, slow at every access. */
const plain = (exported) => `const exported = ${exported}
module.exports = exported.__esModule
  ? Object.defineProperty({ ...exported }, '__esModule', { value: true })
  : exported
`

function made(name, entries) {
  const home = path.join(folder, `${name}-${state}`)
  if (existsSync(home)) return home
  // evaluated when it is required, not with the others
  const contents = entries.map((entry, i) => `exports.part${i} = () => require('${entry}')`).join('\n')
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root },
    bundle: true,
    write: false,
    minifyWhitespace: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    external: ['pg-native'],
    logLevel: 'warning',
  })
  const fresh = `${home}-${process.pid}`
  mkdirSync(fresh, { recursive: true })
  writeFileSync(path.join(fresh, 'all.js'), outputFiles[0].contents)
  for (const [i, entry] of entries.entries())
    writeFileSync(fileOf(fresh, entry), plain(`require('./all').part${i}()`))
  // another run may have written it
  if (!existsSync(home)) renameSync(fresh, home)
  return home
}

/** For jest's moduleNameMapper. */
module.exports = Object.fromEntries(
  Object.entries(bundles).flatMap(([name, entries]) => {
    const home = made(name, entries)
    return entries.map((entry) => [`^${entry}$`, fileOf(home, entry)])
  }),
)
