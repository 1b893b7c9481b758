/**
 * `npm run db:backup [-- FILE]`: the embedded database as one compressed tar; the server must be stopped. The embedded
 * engine never calls fsync, so a power failure may lose or corrupt data where a killed process would not: this file,
 * which is synced before it is renamed into place, is the protection. To restore, unpack it into an empty
 * DATA_DIR/postgres.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { StartError } from '../core/start-error'
import { openDatabase } from '../db/database'
import { parseSettings } from '../settings'
import { print, runMain } from './command'

const stamp = () => new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')

runMain(async () => {
  const settings = parseSettings(process.env)
  if (settings.databaseUrl)
    throw new StartError('已设置 DATABASE_URL：PostgreSQL 请用 pg_dump 备份，本命令只备份内嵌数据库。')
  if (!existsSync(path.join(settings.dataDir, 'postgres')))
    throw new StartError(`数据目录 ${settings.dataDir} 中没有数据库（DATA_DIR），没有可备份的内容。`)
  const file = path.resolve(process.argv[2] ?? `backup-${stamp()}.tar.gz`)
  if (existsSync(file)) throw new StartError(`备份文件 ${file} 已存在，请换一个文件名。`)
  const part = `${file}.part`
  const { pglite, close } = await openDatabase(settings)
  try {
    const dump = await pglite?.dumpDataDir('gzip')
    if (!dump) throw new StartError('内嵌数据库没有打开，无法备份。')
    const bytes = new Uint8Array(await dump.arrayBuffer())
    writeFileSync(part, bytes, { flag: 'wx', flush: true })
    renameSync(part, file)
    print(`✓ 已备份到 ${file}（${(bytes.length / 1e6).toFixed(1)} MB）`)
  } finally {
    rmSync(part, { force: true })
    await close()
  }
})
