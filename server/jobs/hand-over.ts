/** A training set on its way to the process that learns from it: the sales in parts, then what to do with them. */
import type { ChildProcess } from 'node:child_process'
import { setImmediate as turn } from 'node:timers/promises'
import { batchesOf } from '../domains/shared/batches'
import type { Sale } from '../engine/types'
import type { TrainingSet } from './learn'

type Part = Sale[] | Omit<TrainingSet, 'sales'>

/** Ends early, without a word, when the process has died: its `exit` says so. */
export async function handOver(child: ChildProcess, { sales, ...rest }: TrainingSet): Promise<void> {
  for (const part of [...batchesOf(sales), rest]) {
    if (!child.connected) return
    child.send(part)
    await turn()
  }
}

/** Calls back with the set when it is whole. */
export function takeOver(whole: (set: TrainingSet) => void): void {
  const sales: Sale[] = []
  process.on('message', (part: Part) => {
    if (!Array.isArray(part)) whole({ ...part, sales })
    else for (const sale of part) sales.push(sale)
  })
}
