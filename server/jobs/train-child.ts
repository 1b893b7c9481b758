/** Runs in a process of its own: seconds of computing must not hold up the requests of the server. */
import { takeOver } from './hand-over'
import { learn } from './learn'

takeOver((set) => process.send?.(learn(set)))
// the server is gone: nobody waits for the result
process.on('disconnect', () => process.exit())
