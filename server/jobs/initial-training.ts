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

const namesOf = (configs: readonly FormConfig[]) => configs.map(({ name }) => name).join('、')

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

/**
 * Trains the models missing at a first start, one after the other; requests that need one get it first. Logs which are
 * missing, each one finished, and the end. A failed one is trained on demand or at the next start.
 */
export async function trainMissingModels(
  training: Pick<Training, 'ensure' | 'needsFirstModel'>,
  configs: readonly FormConfig[],
  { print, failed, stopped, market }: Reporter,
): Promise<void> {
  const untrained: FormConfig[] = []
  for (const config of configs) if (await training.needsFirstModel(config)) untrained.push(config)
  if (untrained.length === 0 || stopped()) return
  print(
    `▸ 有 ${untrained.length} 个游戏的估价模型待训练：${namesOf(untrained)}。完成之前，它们的估价可能提示稍后再试。`,
  )
  const missing: FormConfig[] = []
  for (const config of untrained) {
    if (stopped()) return
    const started = performance.now()
    const refuse = (err: unknown) => {
      if (!stopped()) failed(err, config.gameId)
      return false
    }
    const done = await training.ensure(config).catch(refuse)
    if (done) await market(config).catch(refuse)
    if (done) print(`▸ ${config.name} 的估价模型已就绪（${((performance.now() - started) / 1000).toFixed(1)} 秒）`)
    else missing.push(config)
  }
  if (stopped()) return
  print(missing.length === 0 ? '✓ 全部估价模型已就绪' : `⚠ 没有训练出估价模型的游戏：${namesOf(missing)}`)
}
