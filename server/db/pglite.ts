import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PostgresDialect, type PostgresPool } from 'kysely'
import { reasonOf, StartError } from '../core/start-error'
import { CommitRejected } from './errors'
import { poolClient } from './pool-client'

/**
 * The embedded database as a `pg` pool of one connection, so that Kysely's PostgreSQL dialect can use it. A second
 * `connect()` waits until the first is released: a query on the root handle inside a transaction would deadlock, so
 * repositories always use the handle they are given.
 */
function poolOfOne(pglite: PGlite): PostgresPool {
  let last: Promise<void> = Promise.resolve()
  return {
    async connect() {
      const before = last
      let release: () => void = () => undefined
      last = new Promise((resolve) => {
        release = resolve
      })
      await before
      return poolClient(async (sql, parameters) => {
        const { rows, affectedRows, command } = await pglite.query(sql, [...parameters])
        // the COMMIT of a failed transaction is answered with ROLLBACK instead of an error
        if (sql === 'commit' && command !== 'COMMIT') throw new CommitRejected()
        return { rows, rowCount: affectedRows ?? 0, command: command ?? '' }
      }, release)
    },
    async end() {
      await last
      await pglite.close()
    },
  }
}

export const pgliteDialect = (pglite: PGlite) => new PostgresDialect({ pool: poolOfOne(pglite) })

/**
 * Creates the data folder, not those above it, and checks that it is writable.
 * @throws StartError
 */
export function prepareFolder(dir: string): void {
  const probe = path.join(dir, `.probe-${process.pid}`)
  try {
    if (!existsSync(dir)) mkdirSync(dir)
    writeFileSync(probe, '')
    rmSync(probe)
  } catch (e) {
    throw new StartError(`数据目录 ${dir} 无法写入（DATA_DIR）：${reasonOf(e)}。`)
  }
}

/**
 * Opens the database files under `dir`, which this process must have locked. A new database is created beside its final
 * path and renamed, so that a killed process never leaves an incomplete one.
 * @throws StartError if the files are not a database or are damaged; they are left unchanged
 */
export async function openPglite(dir: string): Promise<PGlite> {
  const home = path.join(dir, 'postgres')
  for (const name of readdirSync(dir))
    if (name.startsWith('postgres.new-')) rmSync(path.join(dir, name), { recursive: true })
  const files = existsSync(home) ? readdirSync(home) : []
  if (files.length > 0 && !(files.includes('PG_VERSION') && files.includes('global')))
    throw damaged(dir, '缺少数据库文件')
  if (files.length === 0) {
    const fresh = path.join(dir, `postgres.new-${process.pid}`)
    await (await PGlite.create({ dataDir: fresh })).close()
    rmSync(home, { recursive: true, force: true })
    renameSync(fresh, home)
  }
  try {
    return await PGlite.create({ dataDir: home })
  } catch {
    // the engine's own message is only "Aborted()"
    throw damaged(dir, '文件已损坏')
  }
}

const damaged = (dir: string, why: string) =>
  new StartError(`数据目录 ${dir} 中的数据库无法打开（DATA_DIR）：${why}。请用备份恢复，或换一个空目录。`)
