/**
 * A file is identified by its content, never by its name. It must be one whole picture and nothing else; what is stored
 * is encoded again, so that no metadata (place, device, thumbnail, comments) and no trick of the sender remains.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { AppError } from '../../core/app-error'
import { createThreads } from '../../core/child-program'
import { MAX_PIXELS, MAX_SIZE, tooLarge } from './port'
import type { CleanPicture, Reencoded } from './reencode'

/** two of the four threads that this process has for files and other libraries */
const THREADS = 2
/** pictures that wait at most; beyond it uploaders would wait too long */
const QUEUE = 100

const threads = createThreads<string, Reencoded>('providers/storage/reencode.ts', {
  maxThreads: THREADS,
  maxQueue: QUEUE,
})

/** A file as it arrives: the parts of a stream, or one buffer. */
export type Arriving = Iterable<Uint8Array> | AsyncIterable<Uint8Array>

/** Ends at the first byte above the limit. @throws AppError PAYLOAD_TOO_LARGE */
async function* limited(file: Arriving): AsyncGenerator<Uint8Array> {
  let size = 0
  for await (const part of file) {
    size += part.length
    if (size > MAX_SIZE) throw tooLarge()
    yield part
  }
}

/**
 * Receives a file and encodes the picture in it without metadata. An interrupted or refused one leaves nothing behind.
 * @throws AppError PAYLOAD_TOO_LARGE; UPLOAD_TYPE if it is not one whole picture, or has too many pixels;
 * REQUEST_TOO_BUSY_PLEASE_WAIT
 */
export async function cleanPicture(file: Arriving): Promise<CleanPicture> {
  // slow senders hold disk rather than memory
  const dir = await mkdtemp(path.join(tmpdir(), 'picture-'))
  try {
    const sent = path.join(dir, 'sent')
    await writeFile(sent, limited(file))
    if (threads.queueSize() >= QUEUE) throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT')
    const made = await threads.run(sent)
    if (made === 'pixels')
      throw new AppError('UPLOAD_TYPE', { msg: `图片不能超过 ${MAX_PIXELS / 10_000} 万像素，请缩小或截取后再上传` })
    if (!made) throw new AppError('UPLOAD_TYPE')
    return made
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}

/** Ends the threads. */
export const closePictureThreads = threads.close
