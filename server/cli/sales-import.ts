/**
 * `npm run sales:import -- FILE.csv|FILE.ndjson|- [--no-train]`: imports sales, one per line. Streams, is idempotent
 * (`source + externalId`), reports every refused row on standard error and imports the rest, then trains the models of
 * games with new sales. Exit code 0 if rows were stored or already known, 1 if none was valid or the import was
 * interrupted.
 */
import { closeSync, createReadStream, openSync } from 'node:fs'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { DB } from '../db/tables'
import { type Format, readRows } from '../domains/market/import/rows'
import { heldWarning, type ImportSummary, importSales } from '../domains/market/import/sales'
import { importScreen, storeImported } from '../domains/market/import/screen'
import { createModelRepository } from '../domains/models/repository'
import { reasonOf, StartError } from '../start-error'
import { argumentsOf, flag } from './command'
import { configOf, retrain, runTool } from './tool'

const USAGE = '用法：npm run sales:import -- 文件.csv｜文件.ndjson｜-（从标准输入读 NDJSON）[--no-train]'
/** maximum of unknown games remembered, to limit memory */
const MAX_REMEMBERED = 1_000

interface Given {
  file: string
  format: Format
  train: boolean
}

function formatOf(file: string): Format {
  if (file === '-' || /\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  if (/\.csv$/i.test(file)) return 'csv'
  throw new StartError(`文件 ${file} 应以 .csv 或 .ndjson 结尾。`)
}

function readArguments(): Given {
  const { positionals, values } = argumentsOf(USAGE, { 'no-train': flag }, { min: 1, max: 1 })
  const [file = ''] = positionals
  try {
    if (file !== '-') closeSync(openSync(file, 'r'))
  } catch (e) {
    throw new StartError(`文件 ${file} 无法读取：${reasonOf(e)}。`)
  }
  return { file, format: formatOf(file), train: !values['no-train'] }
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (e) {
    throw new StartError(`文件 ${file} 无法读取：${reasonOf(e)}。已写入的记录会保留，可重新执行。`)
  }
}

function gameFinder(db: Kysely<DB>) {
  const found = new Map<string, FormConfig | undefined>()
  return async (gameId: string): Promise<FormConfig | undefined> => {
    if (found.has(gameId)) return found.get(gameId)
    const config = await configOf(db, gameId)
    if (config || found.size < MAX_REMEMBERED) found.set(gameId, config)
    return config
  }
}

const counts = ({ read, added, known, refused, held }: ImportSummary): string =>
  `读取 ${read} 行：新增 ${added}，已有 ${known}，拒绝 ${refused}${held > 0 ? `，待核 ${held}（工作台“成交数据”）` : ''}`

async function trainAnew(db: Kysely<DB>, config: FormConfig) {
  try {
    await retrain(db, config)
  } catch (e) {
    throw new StartError(`记录已导入，但${config.name}的估价模型没有更新：${reasonOf(e)}。`)
  }
}

runTool(async (db, { file, format, train }) => {
  const [find, now] = [gameFinder(db), Date.now()]
  const met = new Set<string>()
  const summary = await importSales(readRows(bytesOf(file), format), {
    configOf: find,
    screen: importScreen(
      db,
      createModelRepository(db, async () => false),
    ),
    store: (batch) => storeImported(db, batch, now, met),
    refuse: (line, reason) => console.error(`✗ 第 ${line} 行：${reason}`),
    progress: (soFar) => console.error(`▸ ${counts(soFar)}`),
    now,
  })
  console.log(`${summary.read > 0 && summary.refused === summary.read ? '✗' : '✓'} ${counts(summary)}`)
  const warning = heldWarning(summary)
  if (warning) console.error(warning)
  if (summary.read > 0 && summary.refused === summary.read)
    throw new StartError('没有一行可以导入，请按上面的原因修改文件。')
  if (!train) return
  for (const gameId of summary.games.keys()) {
    const config = await find(gameId)
    if (config) await trainAnew(db, config)
  }
}, readArguments)
