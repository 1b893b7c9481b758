/** PaddleOCR in a child process: started at the first picture, stopped when idle, ended and replaced when it hangs. */
import type { ChildProcess } from 'node:child_process'
import { answerOf, forkProgram } from '../../../core/child-program'
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

/** The recogniser of this process; it reads one picture at a time. */
export function createPaddleOcr(): OcrPort {
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined
  let last: Promise<unknown> = Promise.resolve()

  function start(): ChildProcess {
    const started = forkProgram('providers/ocr/paddle/ocr-child.ts', { heapMb: MAX_HEAP, nice: LOW_PRIORITY })
    started.once('exit', () => {
      if (child === started) child = undefined
    })
    started.on('error', () => undefined)
    return started
  }

  function stop(): void {
    clearTimeout(idle)
    child?.kill('SIGKILL')
    child = undefined
  }

  async function read(picture: Uint8Array): Promise<OcrPage> {
    clearTimeout(idle)
    const reader = child ?? start()
    child = reader
    const late = setTimeout(() => reader.kill('SIGKILL'), TIMEOUT)
    try {
      const answered = answerOf<Answer>(reader)
      reader.send({ picture })
      const answer = await answered
      if ('page' in answer) return answer.page
      throw answer.unreadable ? new UnreadablePicture(answer.error) : new Error(answer.error)
    } finally {
      clearTimeout(late)
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
