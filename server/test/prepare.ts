/**
 * Creates the template database of the tests, given by the environment: with all migrations and, if the time of the
 * newest sale (ms) is given, with the shipped games, their sales and models.
 */
import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { runTool } from '../cli/tool'
import type { DB } from '../db/tables'
import { createGameRepository } from '../domains/games/repository'
import { newestBacktest, storeBacktest } from '../domains/models/backtests'
import { createTraining, type Training } from '../jobs/training'
import { seed } from '../seed'
import { trainOnce } from './models'

/** Sales per game: enough for a valid model, trained in a quarter of the time of the product's 2,400. */
const SALES = 600

const until = Number(process.argv[2] ?? 0)

/**
 * A back-test takes as long as a training and no test depends on its figures, so those of the first game are used for
 * all. A server without figures would start measuring.
 */
async function measureOne(db: Kysely<DB>, [first, ...others]: FormConfig[], training: Training): Promise<void> {
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
    // the embedded server needs no other databases; without its templates a copy has a third of the files
    await sql`update pg_database set datistemplate = false`.execute(db)
    for (const name of ['template0', 'template1']) await sql`drop database ${sql.ref(name)}`.execute(db)
  }
  await sql`checkpoint`.execute(db)
})
