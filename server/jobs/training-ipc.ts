/** Transfers a training set to the training process: the sales in parts, then the parameters. */
import type { ChildProcess } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { batchesOf } from '../domains/shared/batches'
import type { Sale } from '../engine/types'
import type { TrainingSet } from './train-and-test'

type Part = Sale[] | Omit<TrainingSet, 'sales'>

/** Returns early when the process has died; its `exit` event reports that. */
export async function sendTrainingSet(child: ChildProcess, { sales, ...rest }: TrainingSet): Promise<void> {
  for (const part of [...batchesOf(sales), rest]) {
    if (!child.connected) return
    child.send(part)
    await turn()
  }
}

/** Calls back with the complete set. */
export function receiveTrainingSet(whole: (set: TrainingSet) => void | Promise<void>): void {
  const sales: Sale[] = []
  process.on('message', (part: Part) => {
    if (!Array.isArray(part)) void whole({ ...part, sales })
    else for (const sale of part) sales.push(sale)
  })
}
