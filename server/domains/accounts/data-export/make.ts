import { randomUUID } from 'node:crypto'
import { createWriteStream, openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pipeline } from 'node:stream/promises'
import { strToU8, Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { Deps } from '../../../core/context'
import { filesOf } from '../../../providers/storage/port'
import { jsonFiles, pictureKeys } from './contents'

const README = `这是您在「游戏账号估价专家」的个人信息副本（《个人信息保护法》第四十五条）。
每个 .json 文件是一类记录，时间为毫秒时间戳，金额单位为分；pictures 目录是您上传的图片，文件名对应记录中的 images、image 与 key。
姓名与身份证号已打码；密码与登录凭证不在其中。
`

/** The archive as a stream. No transaction is open while pictures are read, of which one part is in memory at a time. */
async function* archive({ db, encryption, providers: { storage } }: Deps, userId: string): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = []
  const zip = new Zip((error, part) => {
    if (error) throw error
    ready.push(part)
  })
  const records = await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((tx) => jsonFiles({ db: tx, encryption, userId }))
  for (const [name, text] of [['README.txt', README], ...records] as const) {
    const entry = new ZipDeflate(name, { level: 6 })
    zip.add(entry)
    entry.push(strToU8(text), true)
    yield* ready.splice(0)
  }
  for (const key of await pictureKeys({ db, userId })) {
    const picture = await storage.read(key)
    // removed in the meantime
    if (!picture) continue
    const entry = new ZipPassThrough(`pictures/${key.replace(/^u\//, '').replaceAll('/', '-')}`)
    zip.add(entry)
    for await (const part of picture as AsyncIterable<Uint8Array>) {
      entry.push(part)
      yield* ready.splice(0)
    }
    entry.push(new Uint8Array(0), true)
  }
  zip.end()
  yield* ready
}

/** Makes the export and stores it. @returns its key and size */
export async function makeExport(deps: Deps, userId: string): Promise<{ key: string; bytes: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'data-export-'))
  try {
    // a storage wants to know the size before the first byte
    const file = path.join(folder, 'export.zip')
    await pipeline(archive(deps, userId), createWriteStream(file, { flags: 'wx', mode: 0o600 }))
    const blob = await openAsBlob(file)
    const key = filesOf(userId) + randomUUID()
    await deps.providers.storage.putFile(key, blob)
    return { key, bytes: blob.size }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
