/** Draws in threads. */
import os from 'node:os'
import { AppError } from '../../../core/app-error'
import { createThreads } from '../../../core/child-program'
import type { DrawnPicture, DrawRequest } from './draw'

/** one core is left to requests; each thread uses about 100 MB for its fonts */
const THREADS = Math.max(1, Math.min(4, os.availableParallelism() - 1))
/** maximum queue length; beyond it users would wait too long */
const QUEUE = 60

const threads = createThreads<DrawRequest, DrawnPicture>('domains/reports/picture/draw.ts', {
  maxThreads: THREADS,
  maxQueue: QUEUE,
})
/** Draws in a thread. @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT when too many drawings wait */
export async function drawInWorker(request: DrawRequest): Promise<DrawnPicture> {
  if (threads.queueSize() >= QUEUE)
    throw new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '正在生成的图片较多，请稍后再试' })
  return threads.run(request)
}

/** Ends the threads and aborts drawings in progress. */
export const closeDrawPool = threads.close
