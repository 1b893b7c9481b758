/** Programs that the server starts itself: a training process, threads that draw or decode pictures. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import os from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { Piscina } from 'piscina'

/**
 * Compiled programs (scripts/compile-server.mjs) lie side by side. When run from source, a new process or thread loads
 * TypeScript on its own, even if this process was loaded by something else (tests).
 * @param source its file, relative to `server/`
 * @returns file for Node to run, and options that differ from this process
 */
function resolveProgram(source: string): {
  filename: string
  options: { execArgv?: string[]; env?: NodeJS.ProcessEnv }
} {
  if (path.extname(__filename) === '.js')
    return { filename: path.join(path.dirname(__filename), `${path.basename(source, '.ts')}.js`), options: {} }
  return {
    filename: path.join(__dirname, '..', source),
    options: {
      execArgv: ['--import', pathToFileURL(require.resolve('tsx')).href],
      env: { ...process.env, TSX_TSCONFIG_PATH: path.join(__dirname, '../tsconfig.json') },
    },
  }
}

/** A program as a process of its own that ends with this one. @param nice priority: requests come first, they have 0 */
export function forkProgram(source: string, { heapMb, nice }: { heapMb: number; nice: number }): ChildProcess {
  const { filename, options } = resolveProgram(source)
  const execArgv = [...(options.execArgv ?? process.execArgv), `--max-old-space-size=${heapMb}`]
  const child = fork(filename, { ...options, execArgv, serialization: 'advanced' })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  child.once('exit', () => process.off('exit', kill))
  if (child.pid !== undefined && nice > 0) os.setPriority(child.pid, nice)
  return child
}

/** The next message of such a process. @throws Error when it ends without one */
export async function answerOf<T>(child: ChildProcess): Promise<T> {
  const over = new AbortController()
  try {
    const ended = once(child, 'exit', over).then(([code, signal]) => {
      throw new Error(`the child process ended with ${signal ?? code}`)
    })
    const [answer] = await Promise.race([once(child, 'message', over), ended])
    return answer
  } finally {
    over.abort()
  }
}

/** ms after which an idle thread ends and frees its memory */
const IDLE = 60_000
/** nice value: requests have priority */
const LOW_PRIORITY = 10
const HEAP_MB = 512

/**
 * Threads that run the default export of a program, outside the event loop, so that requests are served meanwhile.
 * They start with the first task: a server that starts or rests spends no time or memory on them. piscina rather than
 * plain `worker_threads`, because it starts, ends and replaces threads and bounds the queue.
 */
export function createThreads<Task, Result>(source: string, limits: { maxThreads: number; maxQueue: number }) {
  let pool: Piscina<Task, Result> | undefined

  function open(): Piscina<Task, Result> {
    if (pool) return pool
    const { filename, options } = resolveProgram(source)
    pool = new Piscina<Task, Result>({
      filename,
      ...options,
      ...limits,
      minThreads: 0,
      idleTimeout: IDLE,
      niceIncrement: LOW_PRIORITY,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    // a thread that ends without a task (e.g. while starting) emits an error, which would end the server if unhandled
    pool.on('error', (error: Error) => process.emitWarning(error))
    return pool
  }

  return {
    run: (task: Task, options?: { signal: AbortSignal }): Promise<Result> => open().run(task, options),
    /** tasks that wait for a thread */
    queueSize: () => pool?.queueSize ?? 0,
    /** Ends the threads and aborts their tasks; a later task starts new ones. */
    async close() {
      const closed = pool
      pool = undefined
      await closed?.destroy()
    },
  }
}
