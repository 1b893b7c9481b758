/**
 * `npm run db:reset [-- --force]`: recreates the development database with the shipped games, their generated sales and
 * models. Refused with NODE_ENV=production. A PostgreSQL on another machine may be somebody else's and requires `--force`.
 */
import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import pg from 'pg'
import { StartError } from '../core/start-error'
import { openDatabase } from '../db/database'
import { lockFolder } from '../db/lock'
import { seed } from '../fixtures/seed'
import { parseSettings } from '../settings'
import { argumentsOf, flag, print, runMain } from './command'

/** Whether the host is local: a name, an address or a socket folder, as parsed by the driver. */
const isLocal = (host: string) => host === 'localhost' || host === '::1' || /^127\./.test(host) || host.startsWith('/')

/** Refuses while clients are connected: a server would continue with rows that are gone. */
async function emptyServer(databaseUrl: string, force: boolean): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  if (!isLocal(client.host) && !force)
    throw new StartError(`DATABASE_URL 指向 ${client.host}，不是本机数据库：确认可以清空后，加 -- --force 再执行。`)
  await client.connect()
  try {
    const { rows: others } = await client.query(
      'select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
    )
    if (others.length > 0) throw new StartError(`数据库还有 ${others.length} 个连接：请先停掉服务，再执行。`)
    const { rows } = await client.query<{ statement: string }>(
      `select format('drop schema %1$I cascade; create schema %1$I', current_schema()) as statement`,
    )
    for (const { statement } of rows) await client.query(statement)
  } finally {
    await client.end()
  }
}

async function emptyFolder(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return
  const unlock = await lockFolder(dataDir)
  rmSync(path.join(dataDir, 'postgres'), { recursive: true, force: true })
  await unlock()
}

runMain(async () => {
  const { force } = argumentsOf('用法：npm run db:reset [-- --force]', { force: flag }).values
  const settings = parseSettings(process.env)
  if (settings.production) throw new StartError('NODE_ENV=production：本命令只清空开发数据库，不能用于生产环境。')
  const { databaseUrl, dataDir } = settings
  if (databaseUrl) await emptyServer(databaseUrl, force)
  else await emptyFolder(dataDir)
  // pictures are unreferenced now; those in S3 are kept
  rmSync(path.join(dataDir, 'uploads'), { recursive: true, force: true })
  const { background, close } = await openDatabase(settings)
  try {
    await seed(background, { now: Date.now(), print })
    print(`✓ 数据库已重建：${databaseUrl ? new URL(databaseUrl).host : dataDir}`)
  } finally {
    await close()
  }
})
