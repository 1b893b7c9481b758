import type { FormConfig } from '@/contract/form/types'
import type { Training } from './training'

interface Reporter {
  /** one line of the start log */
  print: (line: string) => void
  failed: (err: unknown, gameId: string) => void
  /** true once the process is to stop */
  stopped: () => boolean
  /** computes the market of a game that has just got its first model: home shows an example from it */
  market: (config: FormConfig) => Promise<unknown>
}

/**
 * Computes the market of one game, whose first model it trains if none ships with the sales, so that the first visitor of a
 * server on a new database sees a priced example. Gives up on errors: the example then appears later.
 */
export async function prepareExample(
  training: Pick<Training, 'ensure' | 'needsFirstModel'>,
  configs: readonly FormConfig[],
  { print, failed, stopped, market }: Reporter,
): Promise<void> {
  for (const config of configs) {
    if (stopped()) return
    try {
      if (await training.needsFirstModel(config)) print(`▸ 训练${config.name}的估价模型，首页用它展示示例`)
      if (!(await training.ensure(config))) continue
      await market(config)
      return
    } catch (err) {
      if (!stopped()) failed(err, config.gameId)
    }
  }
}
