/**
 * Makes a database that tests get copies of: the one of the environment, with all migrations done and, when the moment
 * of its newest sale (ms) is given, with the games that come with the product, their sales and models.
 */
import { sql } from 'kysely'
import { runTool } from '../cli/tool'
import { seed } from '../db/seed'
import { createTraining } from '../jobs/training'
import { createGameShelf } from '../rooms/evaluation/games'
import { trainOnce } from './models'

/** Sales of each game: enough for a sound model, trained in a quarter of the time that the product's 2,400 take. */
const SALES = 600

const until = Number(process.argv[2] ?? 0)

runTool(async (db) => {
  if (until > 0) {
    await seed(db, { now: until, salesEach: SALES })
    const training = createTraining(db, trainOnce, () => until)
    const games = await createGameShelf(db).all()
    const trained = await Promise.all(games.map(({ config }) => training.ensure(config)))
    if (!trained.every(Boolean)) throw new Error('a game has no model')
    // how good the models are, which a server measures in the background after its first start
    await Promise.all(games.map(({ config }) => training.keepUp(config)))
  } else if (process.env.DATABASE_URL === '') {
    // nobody creates databases inside the embedded one: without its templates a copy has a third of the files
    await sql`update pg_database set datistemplate = false`.execute(db)
    for (const name of ['template0', 'template1']) await sql`drop database ${sql.ref(name)}`.execute(db)
  }
  await sql`checkpoint`.execute(db)
})
