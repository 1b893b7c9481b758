/**
 * Creates the template database of the tests, given by the environment: with all migrations and, if the time of the
 * newest sale (ms) is given, with the shipped games, their sales and models, which were trained on more sales.
 */
import { sql } from 'kysely'
import { runTool } from '../cli/tool'
import { seed, shippedConfigs } from '../fixtures/seed'
import { readSeedModel, storeSeedModel } from '../fixtures/seed-models'

/** Sales per game: a quarter of those of which the shipped models are made, to be copied in a quarter of the time. */
const SALES = 600

const until = Number(process.argv[2] ?? 0)

runTool(async (db) => {
  if (until > 0) {
    await seed(db, { now: until, salesEach: SALES })
    for (const config of shippedConfigs()) await storeSeedModel(db, config, readSeedModel(config), until)
  } else if (process.env.DATABASE_URL === '') {
    // the embedded server needs no other databases; without its templates a copy has a third of the files
    await sql`update pg_database set datistemplate = false`.execute(db)
    for (const name of ['template0', 'template1']) await sql`drop database ${sql.ref(name)}`.execute(db)
  }
  await sql`checkpoint`.execute(db)
})
