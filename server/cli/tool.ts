/** Shared by the command-line tools: access to the configured database, games, training, and exit codes. */
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { openDatabase } from '../db/database'
import { isConnectionLost } from '../db/errors'
import { TOOL_LIMITS } from '../db/pool-limits'
import type { Tables } from '../db/tables'
import { createTraining, trainInChildProcess } from '../jobs/training'
import { seed } from '../seed'
import { parseSettings } from '../settings'
import { reasonOf, StartError } from '../start-error'

/** Opens the database of DATA_DIR or DATABASE_URL, runs the work, and always closes it. */
async function withDatabase(work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  const settings = parseSettings(process.env)
  const schema = settings.production ? 'require' : 'migrate'
  const { db, close } = await openDatabase(settings, { limits: TOOL_LIMITS, schema })
  try {
    await work(db)
  } finally {
    await close()
  }
}

/** The error as one sentence for the operator. */
function sentenceOf(e: unknown): string {
  if (e instanceof StartError) return e.message
  const { code } = e as { code?: unknown }
  if (isConnectionLost(e)) return `数据库连接中断：${reasonOf(e)}。已写入的不会丢失，恢复后重新执行即可。`
  if (code === 'ENOSPC' || code === '53100') return '磁盘已满。已写入的不会丢失，腾出空间后重新执行即可。'
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return `数据库拒绝了操作（${code}）：${reasonOf(e)}。`
  return `没有完成：${reasonOf(e)}。`
}

/**
 * Runs a tool. Any error ends it with one sentence and exit code 1; `LOG_LEVEL=debug` adds the stack trace.
 * @param read checks that need no database, done before it is opened
 */
export function runTool<T = void>(
  work: (db: Kysely<Tables>, given: T) => Promise<void>,
  read: () => T | Promise<T> = () => undefined as T,
): void {
  const run = async () => {
    const given = await read()
    await withDatabase((db) => work(db, given))
  }
  run().catch((e) => {
    console.error(`✗ ${sentenceOf(e)}`)
    if (['debug', 'trace'].includes(process.env.LOG_LEVEL ?? '')) console.error(e)
    process.exitCode = 1
  })
}

/** Positional arguments and options; refuses unknown options. */
export function argumentsOf(allowed: readonly string[]): { words: string[]; options: Set<string> } {
  const given = process.argv.slice(2)
  const options = new Set(given.filter((word) => word.startsWith('--')))
  for (const option of options)
    if (!allowed.includes(option)) throw new StartError(`不认识的选项 ${option}，可用：${allowed.join(' ') || '无'}。`)
  return { words: given.filter((word) => !word.startsWith('--')), options }
}

/** The config of a game; a shipped game missing in the database is added first. */
export async function configOf(db: Kysely<Tables>, gameId: string): Promise<FormConfig | undefined> {
  const find = () => db.selectFrom('games').select('config').where('game_id', '=', gameId).executeTakeFirst()
  const existing = await find()
  if (existing) return existing.config
  await seed(db, { now: Date.now(), only: [gameId], print: (line) => console.error(line) })
  return (await find())?.config
}

/** Retrains the game's model on the stored sales and prints the outcome. Does nothing without sales. */
export async function retrain(db: Kysely<Tables>, config: FormConfig): Promise<void> {
  const started = Date.now()
  const outcome = await createTraining(db, trainInChildProcess, Date.now).retrain(config)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (outcome.done === 'stored')
    console.error(
      `▸ ${config.name}：用 ${outcome.sampleN} 条${outcome.synthetic ? '（含合成）' : ''}记录更新了估价模型（${seconds} 秒）`,
    )
  else if (outcome.done === 'refused') console.error(`⚠ ${config.name}：没有更换估价模型，${outcome.why}`)
}
