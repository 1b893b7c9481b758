/**
 * Drawing apart from the event loop, so that requests are answered while pictures are drawn. The pool is piscina rather
 * than `worker_threads` by hand: starting, ending and replacing threads and a bounded queue are what it is for.
 */
import os from 'node:os'
import { Piscina } from 'piscina'
import { AppError } from '../../../app-error'
import { ownProgram } from '../../../program'
import type { Drawn, DrawTask } from './draw'

/** one core is left to the requests; each thread costs some 100 MB for its fonts */
const THREADS = Math.max(1, Math.min(4, os.availableParallelism() - 1))
/** drawings that wait; whoever comes then would wait for longer than a person does */
const QUEUE = 60
/** drawings of one user at once: nobody fills the queue for all others */
const PER_USER = 5
/** ms after which a thread without work ends and gives its memory back */
const IDLE = 60_000
/** nice value: requests come first */
const LOW_PRIORITY = 10
const HEAP_MB = 512

let pool: Piscina | undefined
const drawing = new Map<string, number>()

/** Begun by the first drawing: a start of the server costs neither time nor memory for it. */
function open(): Piscina {
  if (pool) return pool
  const { filename, options } = ownProgram('domains/reports/picture/draw.ts')
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
  // a thread that ends without a task of its own, e.g. while it starts: without a listener the server would end with it
  pool.on('error', (error: Error) => process.emitWarning(error))
  return pool
}

const busy = () => new AppError('REQUEST_TOO_BUSY_PLEASE_WAIT', { msg: '正在生成的图片较多，请稍后再试' })

/**
 * Draws in a thread of the pool.
 * @param userId whose drawing it is
 * @throws AppError REQUEST_TOO_BUSY_PLEASE_WAIT when too many wait, of this user or of all
 */
export async function drawApart(userId: string, task: DrawTask): Promise<Drawn> {
  const threads = open()
  const own = drawing.get(userId) ?? 0
  if (own >= PER_USER || threads.queueSize >= QUEUE) throw busy()
  drawing.set(userId, own + 1)
  try {
    return await threads.run(task)
  } finally {
    const left = (drawing.get(userId) ?? 1) - 1
    if (left > 0) drawing.set(userId, left)
    else drawing.delete(userId)
  }
}

/** Ends the threads; what is drawn just now is given up. */
export async function closeDrawing(): Promise<void> {
  const threads = pool
  pool = undefined
  await threads?.destroy()
}
