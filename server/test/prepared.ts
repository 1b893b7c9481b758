/** Template databases, created once per day and state of the code and copied for each test file: see prepare.ts. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { type Cluster, startCluster } from './postgres'
import { programOf } from './programs'
import { cacheFolder, root, tempFolder } from './temp'

const DAY = 86_400_000

/** Server tests run on PostgreSQL; TEST_DATABASE=embedded is for the faults, which run on both. */
export const onPostgres = process.env.TEST_DATABASE !== 'embedded'

/** The template databases; passed to all processes of a run in PREPARED as JSON. */
export interface PreparedContext {
  /** data folders of the embedded database */
  empty: string
  market: string
  /** ms: time of the market's newest sale and of the training of its models */
  until: number
  /** address of the PostgreSQL that has both as databases `empty` and `market` */
  postgres?: string
}

/** Hash of all code and data that determine the content of a database. */
function stateOf(folders: readonly string[]): string {
  const hash = createHash('sha256')
  for (const folder of folders)
    for (const name of readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).sort())
      if (/\.(ts|json|sql)$/.test(name) && !name.endsWith('.test.ts'))
        hash.update(name).update(readFileSync(path.join(root, folder, name)))
  return hash
    .update(readFileSync(path.join(root, 'server/test/prepare.ts')))
    .digest('hex')
    .slice(0, 16)
}

async function prepare(env: { DATA_DIR: string; DATABASE_URL: string }, until?: number): Promise<void> {
  const { program, execArgv, env: own } = programOf('server/test/prepare.ts')
  const args = [...execArgv, program, ...(until === undefined ? [] : [String(until)])]
  await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, ...own, ...env } })
}

/** Creates a folder in the cache unless it exists; never leaves an incomplete one. */
async function once(name: string, make: (fresh: string) => Promise<void>): Promise<string> {
  const cache = cacheFolder('databases')
  const home = path.join(cache, name)
  if (existsSync(home)) return home
  const fresh = mkdtempSync(`${home}-`)
  try {
    await make(fresh)
    renameSync(fresh, home)
  } catch (e) {
    rmSync(fresh, { recursive: true, force: true })
    // another run may have created it meanwhile
    if (!existsSync(home)) throw e
  }
  return home
}

const emptyDatabase = () =>
  once(`empty-${stateOf(['server/db'])}`, (fresh) => prepare({ DATA_DIR: fresh, DATABASE_URL: '' }))

/** A data folder to copy, with the shipped games and sales up to that time (ms, the beginning of a day). */
export async function marketAt(until: number): Promise<string> {
  const empty = await emptyDatabase()
  const domains = ['games', 'market', 'models', 'valuations'].map((domain) => `domains/${domain}`)
  const rules = ['db', 'engine', 'fixtures', 'jobs', ...domains].map((folder) => `server/${folder}`)
  return once(`market-${stateOf(rules)}-${until / DAY}`, async (fresh) => {
    cpSync(empty, fresh, { recursive: true })
    await prepare({ DATA_DIR: fresh, DATABASE_URL: '' }, until)
  })
}

/** Work in the background and compilations pay only for large databases that live long. */
const SHORT_LIVED = { autovacuum: 'off', jit: 'off' }

/** Creates the embedded templates of today that are missing. */
export async function prepareTemplates(): Promise<PreparedContext> {
  const until = Date.now() - (Date.now() % DAY)
  return { empty: await emptyDatabase(), market: await marketAt(until), until }
}

/** The same, and starts a PostgreSQL if the run uses one. @returns what to stop at the end */
export async function prepareDatabases(withPostgres: boolean): Promise<Cluster | undefined> {
  const prepared = await prepareTemplates()
  const { empty, until } = prepared
  const cluster = withPostgres ? await startCluster({ connections: 200, settings: SHORT_LIVED }) : undefined
  if (cluster) {
    await prepare({ DATA_DIR: empty, DATABASE_URL: await cluster.createDatabase('empty') })
    await prepare({ DATA_DIR: empty, DATABASE_URL: await cluster.createDatabase('market', 'empty') }, until)
    prepared.postgres = cluster.socketAddress
  }
  process.env.PREPARED = JSON.stringify(prepared)
  return cluster
}

/** A copy with all games, their sales and models, today's or those of `marketAt`; the caller removes the folder. */
export function marketFolder(template = prepared().market): string {
  const own = tempFolder('valuation-test-')
  cpSync(template, own, { recursive: true })
  return own
}

/** The template databases of this run. @throws Error outside of a jest project with server/test/global-setup.ts */
export function prepared(): PreparedContext {
  if (!process.env.PREPARED)
    throw new Error('no prepared databases: the jest project lacks server/test/global-setup.ts')
  return JSON.parse(process.env.PREPARED) as PreparedContext
}
