/**
 * `npm run db:backup [-- FILE]`: the embedded database as one compressed tar; the server must be stopped. The embedded
 * engine never calls fsync, so a power failure may lose or corrupt data where a killed process would not: this file,
 * which is synced before it is renamed into place, is the protection. To restore, unpack it into an empty
 * DATA_DIR/postgres.
 */
import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { reasonOf, StartError } from '../core/start-error'
import { openDatabase } from '../db/database'
import { parseSettings } from '../settings'
import { print, runMain } from './command'

const stamp = () => new Date().toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-')

function write(file: string, bytes: Uint8Array) {
  const part = `${file}.part`
  try {
    writeFileSync(part, bytes, { flag: 'wx', flush: true })
    renameSync(part, file)
  } catch (e) {
    rmSync(part, { force: true })
    throw new StartError(`备份文件 ${file} 无法写入：${reasonOf(e)}。`)
  }
}

runMain(async () => {
  const settings = parseSettings(process.env)
  if (settings.databaseUrl)
    throw new StartError('已设置 DATABASE_URL：PostgreSQL 请用 pg_dump 备份，本命令只备份内嵌数据库。')
  if (!existsSync(path.join(settings.dataDir, 'postgres')))
    throw new StartError(`数据目录 ${settings.dataDir} 中没有数据库（DATA_DIR），没有可备份的内容。`)
  const file = path.resolve(process.argv[2] ?? `backup-${stamp()}.tar.gz`)
  if (existsSync(file)) throw new StartError(`备份文件 ${file} 已存在，请换一个文件名。`)
  const { pglite, close } = await openDatabase(settings)
  try {
    const dump = await pglite?.dumpDataDir('gzip')
    if (!dump) throw new StartError('内嵌数据库没有打开，无法备份。')
    const bytes = new Uint8Array(await dump.arrayBuffer())
    write(file, bytes)
    print(`✓ 已备份到 ${file}（${(bytes.length / 1e6).toFixed(1)} MB）`)
  } finally {
    await close()
  }
})
