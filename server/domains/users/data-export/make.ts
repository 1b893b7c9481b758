import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Deps } from '../../../context'
import { filesOf } from '../../../providers/storage/port'
import { jsonFiles, pictureKeys } from './contents'
import { type ZipEntry, zipped } from './zip'

const README = `这是您在「游戏账号估价专家」的个人信息副本（《个人信息保护法》第四十五条）。
每个 .json 文件是一类记录，时间为毫秒时间戳，金额单位为分；pictures 目录是您上传的图片，文件名对应记录中的 images、image 与 key。
姓名与身份证号已打码；密码与登录凭证不在其中。
`

/**
 * Writes all records of one snapshot to files first, so that no database connection is held while pictures are fetched.
 */
async function writeRecords({ db, encryption }: Deps, userId: string, folder: string): Promise<string[]> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (tx) => {
      const files = jsonFiles({ db: tx, encryption, userId })
      for (const { name, text } of files)
        await pipeline(Readable.from(text()), createWriteStream(path.join(folder, name), { mode: 0o600 }))
      return files.map(({ name }) => name)
    })
}

async function* entriesOf(deps: Deps, userId: string, folder: string): AsyncGenerator<ZipEntry> {
  yield { name: 'README.txt', compress: true, data: Readable.from([README]) }
  for (const name of await writeRecords(deps, userId, folder))
    yield { name, compress: true, data: createReadStream(path.join(folder, name)) }
  for (const key of await pictureKeys({ db: deps.db, userId })) {
    const picture = await deps.storage.read(key)
    // removed in the meantime
    if (picture)
      yield { name: `pictures/${key.replace(/^u\//, '').replaceAll('/', '-')}`, compress: false, data: picture }
  }
}

/** Makes the export and stores it. @returns its key and size */
export async function makeExport(deps: Deps, userId: string): Promise<{ key: string; bytes: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'data-export-'))
  try {
    const file = path.join(folder, 'export.zip')
    await pipeline(zipped(entriesOf(deps, userId, folder)), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    const blob = await openAsBlob(file)
    const key = filesOf(userId) + randomUUID()
    await deps.storage.putFile(key, blob)
    return { key, bytes: blob.size }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
