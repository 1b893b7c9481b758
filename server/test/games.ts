import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import type { DB } from '../db/tables'
import { shippedConfigs } from '../fixtures/seed'

/** The shipped games without sales, so that a server which starts has nothing to generate or to train. */
export async function insertGames(db: Kysely<DB>): Promise<FormConfig[]> {
  const configs = shippedConfigs()
  const rows = configs.map((config) => ({
    game_id: config.gameId,
    config: JSON.stringify(config),
    icon: '',
    letter: 'A',
    search: '',
    hot: 0,
    sort: 0,
    updated_at: 0,
  }))
  await db
    .insertInto('games')
    .values(rows)
    .onConflict((c) => c.doNothing())
    .execute()
  return configs
}
