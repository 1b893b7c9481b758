/** Runs in a process of its own: seconds of computing must not hold up the requests of the server. */
import { Worker } from 'node:worker_threads'
import { takeOver } from './hand-over'
import { learn } from './learn'

// the server is gone: nobody waits for the result
process.on('disconnect', () => process.exit())
// while it computes this thread hears nothing of that; a killed server leaves its child to another parent
const watch = `const { workerData: parent } = require('node:worker_threads')
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watch, { eval: true, execArgv: [], workerData: process.ppid }).unref()

takeOver((set) => {
  // with a callback a broken channel is no unhandled error
  process.send?.(learn(set), undefined, undefined, (err) => err && process.exit())
})
