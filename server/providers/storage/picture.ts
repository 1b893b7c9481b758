/**
 * A file is identified by its content, never by its name. It must be one whole picture and nothing else; what is stored
 * is encoded again, so that no metadata (place, device, thumbnail, comments) and no trick of the sender remains.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../core/app-error'
import { createThreads } from '../../core/child-program'
import { MAX_PIXELS, type PictureType } from './port'
import type { Reencoded, ReencodeTask } from './reencode'

/** two of the four threads that this process has for files and other libraries */
const THREADS = 2
/** pictures that wait at most; beyond it uploaders would wait too long */
const QUEUE = 100
/** ms until a thread that hangs in a decoder is ended */
const ENDED_AFTER = 15_000

const threads = createThreads<ReencodeTask, Reencoded>('providers/storage/reencode.ts', {
  maxThreads: THREADS,
  maxQueue: QUEUE,
})

/**
 * Writes the picture in one file to another one without metadata.
 * @throws AppError UPLOAD_TYPE if it is not one whole picture, or has too many pixels; REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function cleanPicture(from: string, to: string): Promise<{ type: PictureType; size: number }> {
  if (threads.queueSize() >= QUEUE) throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
  const signal = AbortSignal.timeout(ENDED_AFTER)
  const made = await threads.run({ from, to }, { signal }).catch((error: unknown) => {
    if (signal.aborted) return undefined
    throw error
  })
  if (made === 'pixels')
    throw new AppError('UPLOAD_TYPE', { msg: `图片不能超过 ${MAX_PIXELS / 10_000} 万像素，请缩小或截取后再上传` })
  if (!made) throw new AppError('UPLOAD_TYPE')
  return made
}

/** The same in a temporary folder, for bytes of at most one picture. @throws AppError as `cleanPicture` */
export async function cleanPictureBytes(file: Uint8Array): Promise<{ type: PictureType; bytes: Buffer }> {
  const dir = await mkdtemp(path.join(tmpdir(), 'picture-'))
  try {
    const [from, to] = [path.join(dir, 'sent'), path.join(dir, 'clean')]
    await writeFile(from, file)
    const { type } = await cleanPicture(from, to)
    return { type, bytes: await readFile(to) }
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Ends the threads. */
export const closePictureThreads = threads.close
