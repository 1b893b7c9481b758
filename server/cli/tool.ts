/** Shared by the command-line tools: access to the configured database, games, training, and exit codes. */
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { openDatabase } from '../db/database'
import { TOOL_LIMITS } from '../db/pool-limits'
import type { DB } from '../db/tables'
import { seed } from '../fixtures/seed'
import { createTraining, trainInChildProcess } from '../jobs/training'
import { parseSettings } from '../settings'
import { print, runMain } from './command'

/**
 * Runs a tool on the database of DATA_DIR or DATABASE_URL, which is always closed.
 * @param read checks that need no database, done before it is opened
 */
export const runTool = <T = void>(
  work: (db: Kysely<DB>, given: T) => Promise<void>,
  read: () => T = () => undefined as T,
): Promise<void> =>
  runMain(async () => {
    const given = read()
    const settings = parseSettings(process.env)
    const schema = settings.production ? 'wait' : 'migrate'
    const { db, close } = await openDatabase(settings, { limits: TOOL_LIMITS, schema })
    try {
      await work(db, given)
    } finally {
      await close()
    }
  })

/** The config of a game; a shipped game missing in the database is added first. */
export async function configOf(db: Kysely<DB>, gameId: string): Promise<FormConfig | undefined> {
  const find = () => db.selectFrom('games').select('config').where('game_id', '=', gameId).executeTakeFirst()
  const existing = await find()
  if (existing) return existing.config
  await seed(db, { now: Date.now(), only: [gameId], print })
  return (await find())?.config
}

/** Retrains the game's model on the stored sales and prints the outcome. Does nothing without sales. */
export async function retrain(db: Kysely<DB>, config: FormConfig): Promise<void> {
  const started = Date.now()
  const outcome = await createTraining(db, trainInChildProcess, Date.now).retrain(config)
  const seconds = ((Date.now() - started) / 1000).toFixed(1)
  if (outcome.done === 'stored')
    console.error(
      `▸ ${config.name}：用 ${outcome.sampleN} 条${outcome.synthetic ? '（含合成）' : ''}记录更新了估价模型（${seconds} 秒）`,
    )
  else if (outcome.done === 'refused') console.error(`⚠ ${config.name}：没有更换估价模型，${outcome.why}`)
}
