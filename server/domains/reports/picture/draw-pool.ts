/**
 * Draws outside the event loop, so that requests are served meanwhile. piscina rather than plain `worker_threads`,
 * because it starts, ends and replaces threads and bounds the queue.
 */
import os from 'node:os'
import { Piscina } from 'piscina'
import { AppError } from '../../../app-error'
import { resolveProgram } from '../../../child-program'
import type { DrawnPicture, DrawRequest } from './draw'

/** one core is left to requests; each thread uses about 100 MB for its fonts */
const THREADS = Math.max(1, Math.min(4, os.availableParallelism() - 1))
/** maximum queue length; beyond it users would wait too long */
const QUEUE = 60
/** concurrent drawings per user, so that nobody fills the queue */
const PER_USER = 5
/** ms after which an idle thread ends and frees its memory */
const IDLE = 60_000
/** nice value: requests have priority */
const LOW_PRIORITY = 10
const HEAP_MB = 512

let pool: Piscina | undefined
const drawing = new Map<string, number>()

/** Created lazily: starting the server costs no time or memory for it. */
function open(): Piscina {
  if (pool) return pool
  const { filename, options } = resolveProgram('domains/reports/picture/draw.ts')
  pool = new Piscina({
    filename,
    ...options,
    minThreads: 0,
    maxThreads: THREADS,
    maxQueue: QUEUE,
    idleTimeout: IDLE,
    niceIncrement: LOW_PRIORITY,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
  })
  // a thread that ends without a task (e.g. while starting) emits an error, which would end the server if unhandled
  pool.on('error', (error: Error) => process.emitWarning(error))
  return pool
}

const busy = () => new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '正在生成的图片较多，请稍后再试' })

/**
 * Draws in a thread of the pool.
 * @param userId for the limit per user
 * @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT when too many drawings wait, of this user or in all
 */
export async function drawInWorker(userId: string, request: DrawRequest): Promise<DrawnPicture> {
  const threads = open()
  const own = drawing.get(userId) ?? 0
  if (own >= PER_USER || threads.queueSize >= QUEUE) throw busy()
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
export async function closeDrawPool(): Promise<void> {
  const threads = pool
  pool = undefined
  await threads?.destroy()
}
