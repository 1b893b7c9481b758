/** Runs in its own process: seconds of computation must not block the server's requests. */
import { Worker } from 'node:worker_threads'
import { type TrainingSet, trainAndTest } from './train-and-test'
import type { TrainingPart } from './training'

// the server has exited: nobody needs the result
process.on('disconnect', () => process.exit())
// this thread sees no event while it computes, so a worker checks whether a killed server has orphaned the child
const watch = `const { workerData: parent } = require('node:worker_threads')
setInterval(() => process.ppid === parent || process.kill(process.pid, 'SIGKILL'), 500)`
new Worker(watch, { eval: true, execArgv: [], workerData: process.ppid }).unref()

const sales: TrainingSet['sales'] = []
process.on('message', async (part: TrainingPart) => {
  if (Array.isArray(part)) {
    for (const sale of part) sales.push(sale)
    return
  }
  const trained = await trainAndTest({ ...part, sales })
  // with a callback a broken channel is not an unhandled error
  process.send?.(trained, undefined, undefined, (err) => err && process.exit())
})
