/** Trains on the big market in a process of its own and prints the model with what it cost. */
import { writeModel } from '../domains/models/model-text'
import { train } from '../engine/train'
import { SALES_UNTIL } from './arbitrary'
import { bigMarket } from './big-market'

export interface TrainingCost {
  /** the serialised model */
  body: string
  /** the time it took, or its processor time if that is less: the former grows with other work on the machine */
  seconds: number
  /** greatest memory of the process, MB */
  memory: number
}

const { config, sales } = bigMarket(10_000, SALES_UNTIL)
const [started, before] = [performance.now(), process.cpuUsage()]
const model = train(config, sales, { now: SALES_UNTIL })
const { user, system } = process.cpuUsage(before)
const seconds = Math.min(performance.now() - started, (user + system) / 1000) / 1000
const cost: TrainingCost = { body: writeModel(model), seconds, memory: process.resourceUsage().maxRSS / 1024 }
process.stdout.write(JSON.stringify(cost))
