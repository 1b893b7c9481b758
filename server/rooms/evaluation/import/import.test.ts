import type { FormConfig } from '@/contract/form/types'
import { type Database, openDatabase } from '../../../db/database'
import { insertSales } from '../../../db/sales'
import { game, games, UNTIL } from '../../../test/arbitrary'
import { createStore, type Store } from '../../../test/harness'
import { newestSales } from '../models'
import { faultsOf, saveGame } from './game'
import type { RawRow } from './rows'
import { checkSale, importSales } from './sales'

const lolm = game('lolm')
const sale = {
  gameId: 'lolm',
  kind: 'SOLD',
  priceFen: 45_000,
  at: UNTIL,
  source: 'shop',
  externalId: '1',
  attributes: { loginType: 'qq', heroCount: 60, skinCount: 40, rareSkins: ['kda-ali'], remark: '手机 13800138000' },
}
const deps = { configOf: async (id: string) => games.find((config) => config.gameId === id), now: UNTIL }

describe('a row of sales', () => {
  test('is stored without what is personal or carries no price', async () => {
    expect(await checkSale(sale, deps)).toEqual({
      ...sale,
      attributes: { loginType: 'qq', heroCount: 60, skinCount: 40, rareSkins: ['kda-ali'] },
    })
  })

  test.each([
    [{ gameId: 'nope' }, '没有游戏“nope”'],
    [{ kind: 'sold' }, 'kind 应为 SOLD 或 ASKING'],
    [{ priceFen: 0 }, 'priceFen 应为'],
    [{ priceFen: 12.5 }, 'priceFen 应为'],
    [{ priceFen: '45000' }, 'priceFen 应为'],
    [{ at: UNTIL / 1000 }, 'at 应为毫秒时间戳'],
    [{ at: UNTIL + 1e10 }, 'at 应为毫秒时间戳'],
    [{ source: '' }, 'source 应为'],
    [{ externalId: 'a\u0000b' }, 'externalId 应为'],
    [{ externalId: '\ud800' }, 'externalId 应为'],
    [{ attributes: [] }, 'attributes 应为 JSON 对象'],
    [{ attributes: {} }, '没有影响价格的属性'],
    [{ attributes: { remark: 'x' } }, '没有影响价格的属性'],
    [{ attributes: { heroCount: 60, horns: 2 } }, '“horns”不在 英雄联盟手游 的表单中'],
    [{ attributes: { heroCount: -1 } }, 'attributes.heroCount：英雄数需在 0–200 之间'],
    [{ attributes: { heroCount: 1, rareSkins: ['no-such'] } }, 'attributes.rareSkins'],
  ])('is refused with its reason: %j', async (change, reason) => {
    expect(await checkSale({ ...sale, ...change }, deps)).toContain(reason)
  })
})

describe('faults of a game config', () => {
  test('the shipped ones have none', () => {
    expect(games.map(faultsOf)).toEqual(games.map(() => []))
  })

  test.each<[string, (config: FormConfig) => unknown]>([
    ['/fields', (config) => ({ ...config, fields: 'none' })],
    ['没有分组', (config) => ({ ...config, groups: [] })],
    ['没有字典', (config) => ({ ...config, dicts: {} })],
    ['出现了两次', (config) => ({ ...config, fields: [...config.fields, config.fields[0]] })],
    ['没有影响价格的字段', (config) => ({ ...config, fields: config.fields.filter((f) => f.role === 'factor') })],
    ['pattern', (config) => ({ ...config, fields: config.fields.map((f) => ({ ...f, rules: { pattern: '(' } })) })],
  ])('%s', (words, change) => {
    expect(faultsOf(change(lolm)).join()).toContain(words)
  })
})

describe('in the database', () => {
  let store: Store
  let database: Database
  beforeAll(async () => {
    store = await createStore()
    database = await openDatabase(store.where)
  })
  afterAll(async () => {
    await database.close()
    store.remove()
  })

  const importRows = async (rows: RawRow[]) => {
    async function* stream() {
      yield* rows
    }
    const refused: string[] = []
    const summary = await importSales(stream(), {
      ...deps,
      insert: (batch) => insertSales(database.db, batch),
      refuse: (line, reason) => refused.push(`${line} ${reason}`),
      progress: () => undefined,
    })
    return { ...summary, games: Object.fromEntries(summary.games), refusedRows: refused }
  }

  test('good rows go in once, bad ones are named, whatever their order', async () => {
    const rows: RawRow[] = Array.from({ length: 60 }, (_, i) => ({
      line: i + 2,
      value: { ...sale, externalId: String(i % 55) },
    }))
    rows.splice(30, 0, { line: 99, reason: '不是有效的 JSON' })
    expect(await importRows(rows)).toMatchObject({
      read: 61,
      added: 55,
      known: 5,
      refused: 1,
      games: { lolm: 55 },
      refusedRows: ['99 不是有效的 JSON'],
    })
    expect(await importRows(rows)).toMatchObject({ added: 0, known: 60, games: {} })
  })

  test('a game learns from real sales alone once there are enough', async () => {
    const made = {
      ...sale,
      gameId: 'lolm',
      kind: 'SOLD' as const,
      source: 'synthetic',
      externalId: 'made',
      attributes: { heroCount: 1 },
    }
    await insertSales(database.db, [made])
    expect(await newestSales(database.db, 'lolm')).toMatchObject({ synthetic: false, sales: { length: 55 } })
    await database.db.deleteFrom('sales').where('external_id', '<', '2').execute()
    expect((await newestSales(database.db, 'lolm')).synthetic).toBe(true)
  })

  test('a game is added, found unchanged, and changed with a higher form version', async () => {
    const config: FormConfig = { ...lolm, gameId: 'newgame', name: '新游戏' }
    expect((await saveGame(database.db, config, UNTIL)).done).toBe('added')
    expect((await saveGame(database.db, config, UNTIL)).done).toBe('same')
    expect(await saveGame(database.db, { ...config, name: '新游戏二' }, UNTIL)).toMatchObject({
      done: 'changed',
      config: { schemaVersion: 2 },
    })
    const row = await database.db
      .selectFrom('games')
      .selectAll()
      .where('game_id', '=', 'newgame')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ search: 'xyxe', letter: 'X', config: { name: '新游戏二' } })
  })
})
