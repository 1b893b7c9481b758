/** PaddleOCR in a child process: started at the first picture, stopped when idle, ended and replaced when it hangs. */
import { type ChildProcess, fork } from 'node:child_process'
import os from 'node:os'
import { resolveProgram } from '../../../core/child-program'
import { type OcrPage, type OcrPort, UnreadablePicture } from '../port'

/** ms without a picture after which the process ends and frees its memory */
const IDLE_FOR = 5 * 60_000
/** ms for one picture, on a busy machine */
const TIMEOUT = 60_000
/** MB of heap beside the memory of the models */
const MAX_HEAP = 200
/** nice value: requests have priority */
const LOW_PRIORITY = 10

type Answer = { page: OcrPage } | { error: string; unreadable: boolean }

/** One answer of the process. @throws Error when it ends or takes too long */
const answerOf = (child: ChildProcess, picture: Uint8Array): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(late)
      child.off('message', onMessage).off('exit', onExit).off('error', onError)
      act()
    }
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      settle(() => reject(new Error('recognition took too long')))
    }, TIMEOUT)
    const onMessage = (answer: Answer) => settle(() => resolve(answer))
    const onExit = (code: number | null, signal: string | null) =>
      settle(() => reject(new Error(`recognition ended with ${signal ?? code}`)))
    const onError = (err: Error) => settle(() => reject(err))
    child.once('message', onMessage).once('exit', onExit).once('error', onError)
    child.send({ picture }, (err) => err && onError(err))
  })

/** The recogniser of this process; it reads one picture at a time. */
export function createPaddleOcr(): OcrPort {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start(): ChildProcess {
    const { filename, options } = resolveProgram('providers/ocr/paddle/ocr-child.ts')
    const execArgv = [...(options.execArgv ?? process.execArgv), `--max-old-space-size=${MAX_HEAP}`]
    const started = fork(filename, { ...options, execArgv, serialization: 'advanced' })
    const kill = () => started.kill('SIGKILL')
    process.once('exit', kill)
    started.once('exit', () => {
      process.off('exit', kill)
      if (child === started) child = undefined
    })
    started.on('error', () => undefined)
    if (started.pid !== undefined) os.setPriority(started.pid, LOW_PRIORITY)
    return started
  }

  function stop(): void {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }

  async function read(picture: Uint8Array): Promise<OcrPage> {
    clearTimeout(idle)
    child ??= start()
    try {
      const answer = await answerOf(child, picture)
      if ('page' in answer) return answer.page
      throw answer.unreadable ? new UnreadablePicture(answer.error) : new Error(answer.error)
    } finally {
      idle = setTimeout(stop, IDLE_FOR).unref()
    }
  }

  return {
    read(picture) {
      const page = last.then(() => read(picture))
      last = page.catch(() => undefined)
      return page
    },
    async close() {
      stop()
    },
  }
}
