/**
 * `npm run sales:import -- FILE.csv|FILE.ndjson|- [--no-train] [--accept-differences]`: imports sales, one per line (`-`: NDJSON in UTF-8). Streams, is
 * idempotent (`source + externalId`), reports every row that is not stored on standard error and imports the rest, then trains
 * the models of games with new sales. The last line of its output is a summary in JSON. Exit code 1 if a row was refused, or
 * differs from a stored one unless differences are accepted.
 */
import { createReadStream } from 'node:fs'
import { LRUCache } from 'lru-cache'
import type { FormConfig } from '@/contract/form/types'
import { reasonOf, StartError } from '../core/start-error'
import { screenSale } from '../domains/market/expected-price'
import { encodingOf } from '../domains/market/import/encoding'
import { type Format, readRows } from '../domains/market/import/rows'
import { type ImportSummary, importSales, storeNew } from '../domains/market/import/sales'
import { createModelRepository } from '../domains/models/repository'
import { argumentsOf, flag } from './command'
import { configOf, retrain, runTool } from './tool'

const USAGE =
  '用法：npm run sales:import -- 文件.csv｜文件.ndjson｜-（从标准输入读 NDJSON）[--no-train] [--accept-differences]'

function formatOf(file: string): Format {
  if (file === '-' || /\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  if (/\.csv$/i.test(file)) return 'csv'
  throw new StartError(`文件 ${file} 应以 .csv 或 .ndjson 结尾。`)
}

function readArguments() {
  const { positionals, values } = argumentsOf(
    USAGE,
    { 'no-train': flag, 'accept-differences': flag },
    { min: 1, max: 1 },
  )
  const [file = ''] = positionals
  return { file, format: formatOf(file), train: !values['no-train'], acceptDifferences: values['accept-differences'] }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (e) {
    throw new StartError(`文件 ${file} 无法读取：${reasonOf(e)}。已写入的记录会保留，可重新执行。`)
  }
}

const counts = ({ read, added, known, different, refused, held }: ImportSummary): string =>
  `读取 ${read} 行：新增 ${added}，已有 ${known}，与已有的不同 ${different}，拒绝 ${refused}${held > 0 ? `，待核 ${held}（工作台“成交”）` : ''}`

runTool(async (db, { file, format, train, acceptDifferences }) => {
  const now = Date.now()
  const models = createModelRepository(db)
  const configs = new LRUCache<string, FormConfig>({ max: 100, fetchMethod: (gameId) => configOf(db, gameId) })
  // standard input can be read once only, so it is not searched for its encoding
  const encoding = file === '-' ? 'utf-8' : await encodingOf(bytesOf(file))
  const summary = await importSales(readRows(bytesOf(file), format, encoding), {
    configOf: (gameId) => configs.fetch(gameId),
    // only by a model of real sales: an import is how these replace generated ones, whose prices may be wrong themselves
    screen: async (sales, gameId) => {
      const active = await models.inUse({ gameId })
      return sales.map((sale) => screenSale(active?.synthetic ? undefined : active?.model, sale))
    },
    store: (batch) => db.transaction().execute((tx) => storeNew(tx, batch, now)),
    report: (line, reason) => console.error(`✗ 第 ${line} 行：${reason}`),
    progress: (soFar) => console.error(`▸ ${counts(soFar)}`),
    now,
  })
  const { added, known, different, refused, held } = summary
  const isComplete = refused === 0 && (different === 0 || acceptDifferences)
  console.log(`${isComplete ? '✓' : '✗'} ${counts(summary)}`)
  for (const gameId of train ? summary.games : []) {
    const config = await configOf(db, gameId)
    if (!config) continue
    await retrain(db, config).catch((e: unknown) => {
      throw new StartError(`记录已导入，但${config.name}的估价模型没有更新：${reasonOf(e)}。`)
    })
  }
  if (!isComplete) process.exitCode = 1
  console.log(JSON.stringify({ added, known, different, refused, held }))
}, readArguments)
