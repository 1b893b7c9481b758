/** Draws in threads, with a limit for each user. */
import os from 'node:os'
import { AppError } from '../../../core/app-error'
import { createThreads } from '../../../core/child-program'
import type { DrawnPicture, DrawRequest } from './draw'

/** one core is left to requests; each thread uses about 100 MB for its fonts */
const THREADS = Math.max(1, Math.min(4, os.availableParallelism() - 1))
/** maximum queue length; beyond it users would wait too long */
const QUEUE = 60
/** concurrent drawings per user, so that nobody fills the queue */
const PER_USER = 5

const threads = createThreads<DrawRequest, DrawnPicture>('domains/reports/picture/draw.ts', {
  maxThreads: THREADS,
  maxQueue: QUEUE,
})
const drawing = new Map<string, number>()

const busy = () => new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '正在生成的图片较多，请稍后再试' })

/**
 * Draws in a thread.
 * @param userId for the limit per user
 * @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT when too many drawings wait, of this user or in all
 */
export async function drawInWorker(userId: string, request: DrawRequest): Promise<DrawnPicture> {
  const own = drawing.get(userId) ?? 0
  if (own >= PER_USER || threads.queueSize() >= QUEUE) throw busy()
  drawing.set(userId, own + 1)
  try {
    return await threads.run(request)
  } finally {
    const left = (drawing.get(userId) ?? 1) - 1
    if (left > 0) drawing.set(userId, left)
    else drawing.delete(userId)
  }
}

/** Ends the threads and aborts drawings in progress. */
export const closeDrawPool = threads.close
