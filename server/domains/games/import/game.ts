/** Adding or changing a game by its form config alone. */
import { sql } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { StartError } from '../../../core/start-error'
import type { Db } from '../../../db/database'
import { initialsOf, letterOf } from '../pinyin'

export type SaveResult = { done: 'added' | 'changed' | 'same'; config: FormConfig }

/**
 * Stores a validated config. A changed one gets a higher `schemaVersion` than the stored one, so that open forms detect
 * it. Name, letter and search words follow the config; icon and position in lists stay.
 * @param now ms
 * @throws StartError when another game has the name
 */
export async function saveGame(db: Db, config: FormConfig, now: number): Promise<SaveResult> {
  const { gameId } = config
  const named = await db
    .selectFrom('games')
    .select('game_id')
    .where(sql`config ->> 'name'`, '=', config.name)
    .where('game_id', '<>', gameId)
    .executeTakeFirst()
  if (named) throw new StartError(`游戏名称“${config.name}”已被 ${named.game_id} 使用，请改一个能区分的名称。`)
  const stored = await db.selectFrom('games').select(['config']).where('game_id', '=', gameId).executeTakeFirst()
  const old = stored?.config
  if (old && same(old, { ...config, schemaVersion: old.schemaVersion })) return { done: 'same', config: old }
  const next = old ? { ...config, schemaVersion: Math.max(config.schemaVersion, old.schemaVersion + 1) } : config
  const words = { letter: letterOf(next.name), search: initialsOf(next.name), updated_at: now }
  if (old) {
    await db
      .updateTable('games')
      .set({ config: JSON.stringify(next), updated_at: now, ...(old.name !== next.name && words) })
      .where('game_id', '=', gameId)
      .execute()
    return { done: 'changed', config: next }
  }
  const last = await db
    .selectFrom('games')
    .select((e) => e.fn.max('sort').as('sort'))
    .executeTakeFirst()
  const place = { icon: '', hot: 0, sort: Number(last?.sort ?? 0) + 1 }
  await db
    .insertInto('games')
    .values({ game_id: gameId, config: JSON.stringify(next), ...words, ...place })
    .execute()
  return { done: 'added', config: next }
}

/** JSON equality regardless of key order, which the database does not preserve. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a, ordered) === JSON.stringify(b, ordered)
}

function ordered(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
}
