/**
 * `npm run seed:models`: trains and back-tests the models that ship with the generated sales (server/fixtures/models).
 * After a change of the engine, of a shipped form or of the generator. Uses a database of its own.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openDatabase } from '../db/database'
import { newestSales } from '../domains/models/sales/training-sales'
import { SEED_ORIGIN, seed, seedSales, shippedConfigs } from '../fixtures/seed'
import { digestOf, writeSeedModel } from '../fixtures/seed-models'
import { trainAndTest } from '../jobs/train-and-test'
import { parseSettings } from '../settings'
import { argumentsOf, print, runMain } from './command'

runMain(async () => {
  argumentsOf('用法：npm run seed:models', {})
  const folder = mkdtempSync(path.join(tmpdir(), 'seed-models-'))
  const { db, close } = await openDatabase(parseSettings({ DATA_DIR: folder }))
  try {
    await seed(db, { now: SEED_ORIGIN })
    for (const config of shippedConfigs()) {
      const started = performance.now()
      const { sales, untested } = await newestSales(db, config)
      const trained = await trainAndTest({ config, sales, untested, now: SEED_ORIGIN })
      await writeSeedModel(config, digestOf(config, seedSales(config)), trained, SEED_ORIGIN)
      print(`▸ ${config.name} ${((performance.now() - started) / 1000).toFixed(1)} 秒`)
    }
  } finally {
    await close()
    rmSync(folder, { recursive: true })
  }
})
