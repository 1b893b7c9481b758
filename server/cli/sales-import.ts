/**
 * `npm run sales:import -- FILE.csv|FILE.ndjson|- [--no-train]`: sales into the database, one a line. Streams, may be
 * repeated (`source + externalId`), names every refused row on the error stream and imports the rest, then trains the
 * models of the games that got new sales.
 */
import { createReadStream } from 'node:fs'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { insertSales } from '../db/sales'
import type { Tables } from '../db/tables'
import { type Format, readRows } from '../rooms/evaluation/import/rows'
import { type ImportSummary, importSales } from '../rooms/evaluation/import/sales'
import { reasonOf, StartError } from '../start-error'
import { argumentsOf, configOf, retrain, runTool } from './tool'

const USAGE = '用法：npm run sales:import -- 文件.csv｜文件.ndjson｜-（从标准输入读 NDJSON）[--no-train]'
/** games remembered as missing, so that a file full of them does not fill the memory */
const MOST_REMEMBERED = 1_000

function formatOf(file: string): Format {
  if (file === '-' || /\.(ndjson|jsonl)$/i.test(file)) return 'ndjson'
  if (/\.csv$/i.test(file)) return 'csv'
  throw new StartError(`文件 ${file} 应以 .csv 或 .ndjson 结尾。`)
}

async function* bytesOf(file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* file === '-' ? process.stdin : createReadStream(file)
  } catch (e) {
    throw new StartError(`文件 ${file} 无法读取：${reasonOf(e)}。`)
  }
}

function gameFinder(db: Kysely<Tables>) {
  const found = new Map<string, FormConfig | undefined>()
  return async (gameId: string): Promise<FormConfig | undefined> => {
    if (found.has(gameId)) return found.get(gameId)
    const config = await configOf(db, gameId)
    if (config || found.size < MOST_REMEMBERED) found.set(gameId, config)
    return config
  }
}

const counts = ({ read, added, known, refused }: ImportSummary): string =>
  `读取 ${read} 行：新增 ${added}，已有 ${known}，拒绝 ${refused}`

runTool(async (db) => {
  const { words, options } = argumentsOf(['--no-train'])
  const [file, ...more] = words
  if (file === undefined || more.length > 0) throw new StartError(USAGE)
  const find = gameFinder(db)
  const summary = await importSales(readRows(bytesOf(file), formatOf(file)), {
    configOf: find,
    insert: (batch) => insertSales(db, batch),
    refuse: (line, reason) => console.error(`✗ 第 ${line} 行：${reason}`),
    progress: (soFar) => console.error(`▸ ${counts(soFar)}`),
    now: Date.now(),
  })
  console.log(`✓ ${counts(summary)}`)
  if (options.has('--no-train')) return
  for (const gameId of summary.games.keys()) {
    const config = await find(gameId)
    if (config) await retrain(db, config)
  }
})
