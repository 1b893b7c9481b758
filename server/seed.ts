import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { Db } from './db/database'
import { insertSales } from './db/sales'
import type { DB } from './db/tables'
import { seedCoupons } from './domains/coupons/templates'
import { initialsOf, letterOf } from './domains/games/pinyin'
import { generateSales, type NewSale } from './fixtures/synthetic/generate'
import { digestOf, findSeedModel, storeSeedModel } from './seed-models'

const folder = path.join(__dirname, 'fixtures', 'games')

/** Order in lists, and search terms: full pinyin and nicknames. Games imported later are found by name and initials. */
const shipped: Record<string, string> = {
  hok: 'wangzherongyao 农药 nongyao hok',
  pubgm: 'hepingjingying 吃鸡 chiji cj 刺激战场 cijizhanchang cjzc',
  ys: 'yuanshen genshin',
  delta: 'sanjiaozhouxingdong 三角洲 sanjiaozhou deltaforce',
  hsr: 'benghuaixingqiongtiedao bengtie bt xingqiongtiedao xqtd 星铁 xingtie xt 崩铁 starrail',
  lolm: 'yingxionglianmengshouyou lol lm 撸啊撸 联盟手游',
  naraka: 'yongjiewujian yj naraka',
  val: 'wuweiqiyue valorant 瓦罗兰特 瓦 wa',
}
const order = Object.keys(shipped)

const BATCH = 600

/** ms: end of the sales as they are generated. Each seed moves them to its own time, so that one model fits all. */
export const SEED_ORIGIN = Date.UTC(2026, 10, 1)

/** The forms of the shipped games, in order. */
export const shippedConfigs = (): FormConfig[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as FormConfig)
    .sort((a, b) => order.indexOf(a.gameId) - order.indexOf(b.gameId))

const searchOf = ({ gameId, name }: FormConfig): string => `${initialsOf(name)} ${shipped[gameId] ?? ''}`.trim()

/**
 * Updates a game already in the database to a newer shipped form, with its search terms. A form imported by the
 * operator has its own version and stays unless the shipped one is higher.
 */
async function refreshGame(db: Db, config: FormConfig, now: number) {
  const { gameId, schemaVersion } = config
  await db
    .updateTable('games')
    .set({ config: JSON.stringify(config), letter: letterOf(config.name), updated_at: now })
    .where('game_id', '=', gameId)
    .where(sql<boolean>`(config ->> 'schemaVersion')::int < ${schemaVersion}`)
    .execute()
  await db
    .updateTable('games')
    .set({ search: searchOf(config) })
    .where('game_id', '=', gameId)
    .where(sql<boolean>`config ->> 'name' = ${config.name}`)
    .where('search', '<>', searchOf(config))
    .execute()
}

async function insertGame(tx: Db, config: FormConfig, now: number) {
  const place = order.indexOf(config.gameId) + 1
  await tx
    .insertInto('games')
    .values({
      game_id: config.gameId,
      config: JSON.stringify(config),
      icon: '',
      letter: letterOf(config.name),
      search: searchOf(config),
      hot: place,
      sort: place,
      updated_at: now,
    })
    .execute()
}

/** The generated sales of a game, before `SEED_ORIGIN`. @param n their number; the generator's default if omitted */
export const seedSales = (config: FormConfig, n?: number): NewSale[] => [
  ...generateSales(config, { until: SEED_ORIGIN, ...(n && { n }) }),
]

/**
 * Adds one game with its sales in one transaction: after a kill the next start repeats it.
 * @returns whether it was missing
 */
function seedGame(db: Kysely<DB>, config: FormConfig, sales: readonly NewSale[], now: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    // two processes on an empty PostgreSQL: the second waits without time limit, then finds the game
    await sql`set local lock_timeout = 0`.execute(tx)
    await sql`select pg_advisory_xact_lock(hashtext('seed'))`.execute(tx)
    const existing = await tx
      .selectFrom('games')
      .select('game_id')
      .where('game_id', '=', config.gameId)
      .executeTakeFirst()
    if (existing) return false
    await insertGame(tx, config, now)
    for (let from = 0; from < sales.length; from += BATCH) {
      const batch = sales.slice(from, from + BATCH)
      await insertSales(
        tx,
        batch.map((sale) => ({ ...sale, at: sale.at - SEED_ORIGIN + now })),
      )
    }
    return true
  })
}

/**
 * Adds shipped games that the database lacks, each with labelled generated sales (server/fixtures/synthetic) and the model
 * that ships with them, and updates the forms of those it has.
 * @param only ids of the games to add, all if omitted
 * @param print progress, one line per game
 * @param salesEach number of sales per game; the generator's default if omitted
 */
export async function seed(
  db: Kysely<DB>,
  {
    now,
    only,
    print,
    salesEach,
  }: { now: number; only?: readonly string[]; print?: (line: string) => void; salesEach?: number },
): Promise<void> {
  await seedCoupons(db)
  const existing = new Set((await db.selectFrom('games').select('game_id').execute()).map((g) => g.game_id))
  for (const config of shippedConfigs()) {
    if (only && !only.includes(config.gameId)) continue
    if (existing.has(config.gameId)) {
      await refreshGame(db, config, now)
      continue
    }
    const started = performance.now()
    const sales = seedSales(config, salesEach)
    if (!(await seedGame(db, config, sales, now))) continue
    // outside of the transaction: a kill before it leaves the model to be trained
    const model = findSeedModel(config, digestOf(config, sales))
    if (model) await storeSeedModel(db, config, model, now)
    print?.(
      `▸ ${config.name}：${sales.length} 条合成成交${model ? '和估价模型' : ''} ${((performance.now() - started) / 1000).toFixed(1)} s`,
    )
    // lets health checks be answered between two games
    await new Promise((resolve) => setImmediate(resolve))
  }
}
