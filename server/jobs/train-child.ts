/** Runs in a process of its own: seconds of computing must not hold up the requests of the server. */
import { learn, type TrainingSet } from './learn'

process.on('message', (set: TrainingSet) => {
  process.send?.(learn(set))
})
// the server is gone: nobody waits for the result
process.on('disconnect', () => process.exit())
