/** What a first start leaves in the database: games, their sales, their models and how good they are. */
import { runTool } from '../cli/tool'
import { seed } from '../db/seed'
import { createTraining, trainHere } from '../jobs/training'
import { createGameShelf } from '../rooms/evaluation/games'

runTool(async (db) => {
  await seed(db, { now: Date.now() })
  const training = createTraining(db, trainHere, Date.now)
  for (const { config } of await createGameShelf(db).all()) {
    if (!(await training.ensure(config))) throw new Error(`no model of ${config.gameId}`)
    await training.keepUp(config)
  }
})
