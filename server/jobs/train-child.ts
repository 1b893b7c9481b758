/** Runs in a process of its own: seconds of computing must not hold up the requests of the server. */
import { train } from '../engine/train'
import type { TrainingSet } from './training'

process.on('message', ({ config, sales, now }: TrainingSet) => {
  process.send?.(JSON.stringify(train(config, sales, { now })))
})
// the server is gone: nobody waits for the result
process.on('disconnect', () => process.exit())
