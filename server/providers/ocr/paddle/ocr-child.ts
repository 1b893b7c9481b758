/** Runs in its own process: recognition takes a processor for a second, and hundreds of megabytes. */
import { UnreadablePicture } from '../port'
import { createRecogniser } from './recogniser'

// the server has exited: nobody needs the result
process.on('disconnect', () => process.exit())

const recogniser = createRecogniser()

/** ms of processor time of this process */
const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let before = processorMs()
// one picture at a time
process.on('message', ({ picture }: { picture: Uint8Array }) => {
  const answer = (message: object) => process.send?.(message, undefined, undefined, (err) => err && process.exit())
  recogniser
    .then((models) => models.read(picture))
    .then(
      (page) => {
        const now = processorMs()
        answer({ page: { ...page, processorMs: Math.round(now - before) } })
        before = now
      },
      (err: unknown) => answer({ error: String(err), unreadable: err instanceof UnreadablePicture }),
    )
})
