/**
 * Models of the generated sales, computed beforehand (`npm run seed:models`), so that the first start trains none. They fit
 * the sales of every first start, which are the same up to the time at which they end.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Backtest } from './db/columns'
import type { DB } from './db/tables'
import { readModel, writeModel } from './domains/models/model-text'
import { storeModel } from './domains/models/repository'
import { newestSales } from './domains/models/training-sales'
import { type Fit, restoreModel, versionOf } from './engine/train'
import { FORMAT } from './engine/types'
import type { NewSale } from './fixtures/synthetic/generate'
import type { Trained } from './jobs/train-and-test'

const fileOf = (gameId: string) => path.join(__dirname, 'fixtures', 'models', `${gameId}.json`)

/** Times in it are relative to the training. */
export interface SeedModel {
  /** of what it was computed from, see `digestOf` */
  digest: string
  fit: Fit
  accuracy: Backtest
}

/** Identifies what a model is computed from: model format, form and sales. */
export const digestOf = (config: FormConfig, sales: readonly NewSale[]): string =>
  createHash('sha256')
    .update(JSON.stringify([FORMAT, config, sales]))
    .digest('hex')

/** The shipped model of a game, whatever it was computed from. @throws Error when there is none */
export const readSeedModel = ({ gameId }: FormConfig): SeedModel => JSON.parse(readFileSync(fileOf(gameId), 'utf8'))

/** The shipped model of a game; undefined when there is none for this digest. */
export function findSeedModel(config: FormConfig, digest: string): SeedModel | undefined {
  if (!existsSync(fileOf(config.gameId))) return undefined
  const shipped = readSeedModel(config)
  return shipped.digest === digest ? shipped : undefined
}

const shifted = ({ recent, ...rest }: Backtest, by: number): Backtest => ({
  ...rest,
  ...(recent && { recent: { ...recent, until: recent.until + by } }),
})

/** Stores the shipped model of a game that has just got its sales, with its back-test. */
export async function storeSeedModel(db: Kysely<DB>, config: FormConfig, seedModel: SeedModel, now: number) {
  const { sales, synthetic, syntheticShare, newestSale } = await newestSales(db, config)
  const body = writeModel(restoreModel(config, sales, seedModel.fit, now))
  const accuracy = { ...shifted(seedModel.accuracy, now), modelVersion: versionOf(sales, now) }
  const made = { config, body, sampleN: sales.length, synthetic, syntheticShare, newestSale, now }
  await storeModel(db, made, { championId: undefined, accuracy })
}

/** Writes the file of a game. @param now of the training, ms */
export async function writeSeedModel(
  { gameId }: FormConfig,
  digest: string,
  { body, accuracy }: Trained,
  now: number,
): Promise<void> {
  if (!accuracy) throw new Error(`${gameId} has no back-test`)
  const { hedonic, stack, shrinkage, conformal, range, percentiles } = await readModel(body)
  const { market } = hedonic
  const fit: Fit = {
    hedonic: { ...hedonic, market: { ...market, start: market.start - now } },
    ...{ stack, shrinkage, conformal, range, percentiles },
  }
  const shipped: SeedModel = { digest, fit, accuracy: shifted(accuracy, -now) }
  writeFileSync(fileOf(gameId), `${JSON.stringify(shipped)}\n`)
}
