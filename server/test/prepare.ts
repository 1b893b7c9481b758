/**
 * Makes a database that tests get copies of: the one of the environment, with all migrations done and, when the moment
 * of its newest sale (ms) is given, with the games that come with the product, their sales and models.
 */
import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { runTool } from '../cli/tool'
import type { Tables } from '../db/tables'
import { createGameRepository } from '../domains/games/repository'
import { newestBacktest, storeBacktest } from '../domains/models/backtests'
import { createTraining, type Training } from '../jobs/training'
import { seed } from '../seed'
import { trainOnce } from './models'

/** Sales of each game: enough for a sound model, trained in a quarter of the time that the product's 2,400 take. */
const SALES = 600

const until = Number(process.argv[2] ?? 0)

/**
 * How good a model is takes as long as its training, and decides no test: the first game's figures stand for all. A
 * server that found none would begin to measure after its start.
 */
async function measureOne(db: Kysely<Tables>, [first, ...others]: FormConfig[], training: Training): Promise<void> {
  if (first) await training.runDueWork(first)
  const measured = first && (await newestBacktest(db, first.gameId))
  if (!measured) throw new Error('no model was measured')
  for (const { gameId } of others) await storeBacktest(db, { ...measured, gameId })
}

runTool(async (db) => {
  if (until > 0) {
    await seed(db, { now: until, salesEach: SALES })
    const training = createTraining(db, trainOnce, () => until)
    const games = await createGameRepository(db).all()
    const trained = await Promise.all(games.map(({ config }) => training.ensure(config)))
    if (!trained.every(Boolean)) throw new Error('a game has no model')
    const configs = games.map(({ config }) => config)
    await measureOne(db, configs, training)
  } else if (process.env.DATABASE_URL === '') {
    // nobody creates databases inside the embedded one: without its templates a copy has a third of the files
    await sql`update pg_database set datistemplate = false`.execute(db)
    for (const name of ['template0', 'template1']) await sql`drop database ${sql.ref(name)}`.execute(db)
  }
  await sql`checkpoint`.execute(db)
})
