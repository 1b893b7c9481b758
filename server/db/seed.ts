import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Kysely } from 'kysely'
import type { FormConfig } from '@/contract/form/types'
import { initialsOf, letterOf } from '../rooms/evaluation/pinyin'
import type { Tables } from './tables'

const folder = path.join(__dirname, '..', 'fixtures', 'games')

/** Order in lists, and the full pinyin that people type; games that are imported later get their initials only. */
const shipped: Record<string, string> = {
  hok: 'wangzherongyao',
  pubgm: 'hepingjingying chiji',
  ys: 'yuanshen genshin',
  delta: 'sanjiaozhouxingdong',
  hsr: 'bengtiexingqiongtiedao xingqiongtiedao xqtd',
  lolm: 'yingxionglianmengshouyou lol',
  naraka: 'yongjiewujian yj',
  val: 'wuweiqiyue valorant wwqy',
}

/** Puts the shipped games, their generated sales and the models trained on them into an empty database. */
export async function seed(db: Kysely<Tables>, now: number, say: (line: string) => void): Promise<void> {
  const known = await db.selectFrom('games').select('game_id').limit(1).execute()
  if (known.length > 0) return
  say('▸ 首次启动：写入游戏')
  const configs = readdirSync(folder)
    .filter((f) => f.endsWith('.json'))
    .map((f) => JSON.parse(readFileSync(path.join(folder, f), 'utf8')) as FormConfig)
  const order = Object.keys(shipped)
  for (const config of configs) {
    const place = order.indexOf(config.gameId) + 1
    await db
      .insertInto('games')
      .values({
        game_id: config.gameId,
        config: JSON.stringify(config),
        icon: '',
        letter: letterOf(config.name),
        search: `${initialsOf(config.name)} ${shipped[config.gameId] ?? ''}`.trim(),
        hot: place,
        sort: place,
        updated_at: now,
      })
      .execute()
  }
}
