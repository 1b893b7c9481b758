import type { FormConfig } from '@/contract/form/types'
import { writeModel } from '../domains/models/model-text'
import { type Backtest, backtest } from '../engine/backtest'
import { train, versionOf } from '../engine/train'
import type { Sale } from '../engine/types'

export interface TrainingSet {
  config: FormConfig
  sales: Sale[]
  /** ms */
  now: number
  /** a model to serve, its accuracy on later sales, or both */
  want: 'model' | 'accuracy' | 'both'
}

export interface Trained {
  /** the serialised model; empty when not wanted */
  body: string
  /** absent when not wanted or when too few sales could be tested */
  accuracy?: Backtest
}

const MIN_TO_TEST = 10

export function trainAndTest({ config, sales, now, want }: TrainingSet): Trained {
  const body = want === 'accuracy' ? '' : writeModel(train(config, sales, { now }))
  if (want === 'model' || sales.length < MIN_TO_TEST) return { body }
  const accuracy = backtest(config, sales, { blocks: 1, version: versionOf(sales, now) })
  return accuracy.n > 0 ? { body, accuracy } : { body }
}
