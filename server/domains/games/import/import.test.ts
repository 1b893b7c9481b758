import type { FormConfig } from '@/contract/form/types'
import { insertSales } from '../../../db/sales'
import { seed } from '../../../fixtures/seed'
import { game, games, SALES_UNTIL } from '../../../test/arbitrary'
import { setupDatabase } from '../../../test/harness'
import { checkSale } from '../../market/import/check-sale'
import type { RawRow } from '../../market/import/rows'
import { importSales, storeNew } from '../../market/import/sales'
import { newestSales } from '../../models/sales/training-sales'
import { findConfigIssues } from './config-issues'
import { saveGame } from './game'

const lolm = game('lolm')
const sale = {
  gameId: 'lolm',
  kind: 'SOLD',
  priceFen: 45_000,
  at: SALES_UNTIL,
  source: 'shop',
  externalId: '1',
  attributes: { loginType: 'qq', heroCount: 60, skinCount: 40, rareSkins: ['kda-ali'], remark: '手机 13800138000' },
}
const configOf = async (id: string) => games.find((config) => config.gameId === id)

describe('a row of sales', () => {
  test('is stored without what is personal or carries no price', async () => {
    expect(await checkSale(sale, configOf, SALES_UNTIL)).toEqual({
      ...sale,
      attributes: { loginType: 'qq', heroCount: 60, skinCount: 40, rareSkins: ['kda-ali'] },
    })
  })

  test.each([
    [{ gameId: 'nope' }, '没有游戏“nope”'],
    [{ gameId: 'lo\u0000lm' }, 'gameId 应为'],
    [{ gameId: 'x'.repeat(129) }, 'gameId 应为'],
    [{ gameId: undefined }, 'gameId 应为'],
    [{ kind: 'sold' }, 'kind 应为 SOLD 或 ASKING'],
    [{ priceFen: 0 }, 'priceFen 应为'],
    [{ priceFen: 12.5 }, 'priceFen 应为'],
    [{ priceFen: '45000' }, 'priceFen 应为数字：请去掉引号'],
    [{ priceFen: '1e3' }, 'priceFen 应为 1 到'],
    [{ priceFen: -0 }, 'priceFen 应为 1 到'],
    [{ at: `${SALES_UNTIL}` }, 'at 应为数字：请去掉引号'],
    [{ listedAt: `${SALES_UNTIL}` }, 'listedAt 应为数字：请去掉引号'],
    [{ externalId: Number('12345678901234567890') }, 'externalId 是小数，或大到无法准确表示的数字'],
    [{ externalId: 1.5 }, 'externalId 是小数'],
    [{ externalId: '\uFFFD' }, 'externalId 应为'],
    [{ at: SALES_UNTIL / 1000 }, 'at 应为毫秒时间戳'],
    [{ at: SALES_UNTIL + 6 * 60_000 }, 'at 应为毫秒时间戳'],
    [{ source: '' }, 'source 应为'],
    [{ source: ' Synthetic' }, 'source 不能是 synthetic'],
    [{ externalId: 'a\u0000b' }, 'externalId 应为'],
    [{ externalId: '\ud800' }, 'externalId 应为'],
    [{ attributes: [] }, 'attributes 应为 JSON 对象'],
    [{ attributes: {} }, '没有影响价格的属性'],
    [{ attributes: { remark: 'x' } }, '没有影响价格的属性'],
    [{ attributes: { heroCount: 60, horns: 2 } }, '“horns”不在 英雄联盟手游 的表单中'],
    [{ attributes: { heroCount: -1 } }, 'attributes.heroCount：英雄数需在 0–200 之间'],
    [{ attributes: { heroCount: 1, rareSkins: ['no-such'] } }, 'attributes.rareSkins'],
  ])('is refused with its reason: %j', async (change, reason) => {
    expect(await checkSale({ ...sale, ...change }, configOf, SALES_UNTIL)).toContain(reason)
  })
})

test('a number may be written as JSON allows, and an id as a number', async () => {
  const line = JSON.stringify({ ...sale, externalId: 12 }).replace('45000', '45e3')
  expect(await checkSale(JSON.parse(line), configOf, SALES_UNTIL)).toMatchObject({ priceFen: 45_000, externalId: '12' })
})

test('text that no column takes is refused with its row, also where a game prices by text', async () => {
  const noted = {
    ...lolm,
    fields: [...lolm.fields, { ...lolm.fields[0], key: 'note', type: 'text', role: 'risk', rules: {} }],
  }
  const check = (note: string) =>
    checkSale({ ...sale, attributes: { heroCount: 60, note } }, async () => noted as FormConfig, SALES_UNTIL)
  expect(await check('a\u0000b')).toContain('无法存储')
  expect(await check('\ud800')).toContain('无法存储')
  expect(await check('说明')).toMatchObject({ attributes: { note: '说明' } })
})

test('records may hold more decimals than people type, answers without their condition, and multipliers alone', async () => {
  const fields = [
    { ...lolm.fields[0], key: 'mileage', type: 'decimal', role: 'value', rules: {} },
    {
      ...lolm.fields[0],
      key: 'ac',
      type: 'bool',
      role: 'value',
      rules: {},
      visibleWhen: { field: 'kind', in: ['car'] },
    },
    { ...lolm.fields[0], key: 'kind', type: 'text', role: 'factor', rules: {} },
  ]
  const check = async (attributes: object) =>
    checkSale({ ...sale, attributes }, async () => ({ ...lolm, fields }) as FormConfig, SALES_UNTIL)
  for (const attributes of [{ mileage: 0.1 + 0.2 }, { mileage: 1e-7 }, { mileage: 1, ac: true }, { kind: 'bus' }])
    expect(await check(attributes)).toMatchObject({ attributes })
  expect(await check({ mileage: 1, ac: true, kind: 'bus' })).toMatchObject({ attributes: { mileage: 1, kind: 'bus' } })
})

const withField = (config: FormConfig, change: object) => ({
  ...config,
  fields: [{ ...config.fields[0], ...change }, ...config.fields.slice(1)],
})
const checking = (config: FormConfig, parts: string[], whole: string) => ({
  ...config,
  crossChecks: [{ parts, whole, msg: '请核对' }],
})
const options = (n: number) => Array.from({ length: n }, (_, i) => ({ v: `v${i}`, t: `t${i}` }))
const named = (v: string) => ({ v, t: '同名' })

describe('issues of a game config', () => {
  test('the shipped ones have none', () => {
    expect(games.map(findConfigIssues)).toEqual(games.map(() => []))
  })

  test.each<[string, (config: FormConfig) => unknown]>([
    ['/fields', (config) => ({ ...config, fields: 'none' })],
    ['没有分组', (config) => ({ ...config, groups: [{ key: 'x', title: 'x' }] })],
    ['没有字典', (config) => ({ ...config, dicts: {} })],
    ['出现了两次', (config) => ({ ...config, fields: [...config.fields, config.fields[0]] })],
    ['分组 base 出现了两次', (config) => ({ ...config, groups: [...config.groups, { key: 'base', title: '又' }] })],
    ['heroCount 既是部分又是整体', (config) => checking(config, ['skinCount', 'heroCount'], 'heroCount')],
    ['skinCount 出现了两次', (config) => checking(config, ['skinCount', 'skinCount'], 'heroCount')],
    ['没有影响价格的字段', (config) => ({ ...config, fields: config.fields.filter((f) => f.role === 'factor') })],
    ['pattern', (config) => ({ ...config, fields: config.fields.map((f) => ({ ...f, rules: { pattern: '(' } })) })],
    ['/name 最多 40 个字符', (config) => ({ ...config, name: '大'.repeat(100_000) })],
    ['/fields/0/label 最多', (config) => ({ ...config, fields: [{ ...config.fields[0], label: '大'.repeat(50) }] })],
    ['/modes 至少 1 项', (config) => ({ ...config, modes: [] })],
    ['/schemaVersion 不能大于', (config) => ({ ...config, schemaVersion: 2_147_483_648 })],
    ['/gameId 含有不允许', (config) => ({ ...config, gameId: 'constructor' })],
    ['/fields/0/key 含有不允许', (config) => withField(config, { key: 'toString' })],
    ['/fields/0/key 含有不允许', (config) => withField(config, { key: '__proto__' })],
    ['/fields/0/rules/max 不能大于', (config) => withField(config, { rules: { max: 1e308 } })],
    ['没有字典 toString', (config) => withField(config, { type: 'tags', options: undefined, dict: 'toString' })],
    ['/dicts/many 最多 3000 项', (config) => ({ ...config, dicts: { ...config.dicts, many: options(60_000) } })],
    ['最多 5000 个', (config) => ({ ...config, dicts: { ...config.dicts, a: options(3_000), b: options(3_000) } })],
    ['两个选项都叫“同名”', (config) => withField(config, { type: 'select', options: [named('a'), named('b')] })],
    ['/fields/0/options/0/t 含有不允许', (config) => withField(config, { options: [{ v: 'a', t: 'a\u0000b' }] })],
    ['无法存储的字符', (config) => withField(config, { options: [{ v: 'a', t: '\ud800' }] })],
    ['/fields/0/helpImage 含有不允许', (config) => withField(config, { helpImage: 'javascript:alert(1)' })],
    [
      '显示条件绕成了圈：heroCount → skinCount → heroCount',
      (config) => ({
        ...config,
        fields: config.fields.map((field) => {
          const other = { heroCount: 'skinCount', skinCount: 'heroCount' }[field.key]
          return other ? { ...field, visibleWhen: { field: other, in: ['1'] } } : field
        }),
      }),
    ],
    ['/ 类型应为 object', () => []],
    ['有不认识的 extra', (config) => ({ ...config, extra: 1 })],
    ['缺少 fields', ({ fields: _, ...config }) => config],
  ])('%s', (words, change) => {
    expect(findConfigIssues(change(lolm)).join()).toContain(words)
  })

  test.each(['^(a+)+$', '(a|a)*', '^(?=a)', '^a*a*a*b$', 'a+a*b', '(', 'a{1001}', '^[', '\\1', 'a**'])(
    'pattern %s is refused',
    (pattern) => {
      expect(findConfigIssues(withField(lolm, { type: 'text', rules: { pattern } })).join()).toContain('pattern')
    },
  )

  test.each(['^\\d{6,12}$', '^[A-Z]{2}\\d+$', '^[^\\s@]+@[a-z.]+$', '^编号-\\w*$'])(
    'pattern %s is taken',
    (pattern) => {
      expect(findConfigIssues(withField(lolm, { type: 'text', rules: { pattern } })).join()).not.toContain('pattern')
    },
  )
})

describe('in the database', () => {
  const database = setupDatabase()

  const importRows = async (rows: RawRow[]) => {
    async function* stream() {
      yield* rows
    }
    const refused: string[] = []
    const summary = await importSales(stream(), {
      ...{ configOf, now: SALES_UNTIL },
      screen: async (sales) => sales,
      store: (batch) => storeNew(database.db, batch, SALES_UNTIL),
      report: (line, reason) => refused.push(`${line} ${reason}`),
    })
    return { ...summary, games: [...summary.games], refusedRows: refused }
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
      games: ['lolm'],
      refusedRows: ['99 不是有效的 JSON'],
    })
    expect(await importRows(rows)).toMatchObject({ added: 0, known: 60, games: [] })
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
    const sold = (n: number) =>
      Array.from({ length: n }, (_, i) => ({ ...made, source: 'shop', externalId: `more ${i}` }))
    await insertSales(database.db, sold(444))
    const mixed = await newestSales(database.db, lolm)
    expect(mixed).toMatchObject({ synthetic: true, sales: { length: 500 }, syntheticShare: 1 / 500 })
    // however many people report of themselves
    const told = { ...made, source: 'follow-up', channel: 'FOLLOW_UP' as const }
    await insertSales(
      database.db,
      Array.from({ length: 500 }, (_, i) => ({ ...told, externalId: `told ${i}` })),
    )
    expect(await newestSales(database.db, lolm)).toMatchObject({ synthetic: true, sales: { length: 1000 } })
    await database.db.deleteFrom('sales').where('source', '=', 'follow-up').execute()
    await insertSales(database.db, sold(445))
    expect(await newestSales(database.db, lolm)).toMatchObject({
      synthetic: false,
      syntheticShare: 0,
      sales: { length: 500 },
    })
  })

  test('a game is added, found unchanged, and changed with a higher form version', async () => {
    const config: FormConfig = { ...lolm, gameId: 'newgame', name: '新游戏' }
    expect((await saveGame(database.db, config, SALES_UNTIL)).done).toBe('added')
    expect((await saveGame(database.db, config, SALES_UNTIL)).done).toBe('same')
    expect(await saveGame(database.db, { ...config, name: '新游戏二' }, SALES_UNTIL)).toMatchObject({
      done: 'changed',
      config: { schemaVersion: lolm.schemaVersion + 1 },
    })
    await expect(saveGame(database.db, { ...config, name: '新游戏二', gameId: 'other' }, SALES_UNTIL)).rejects.toThrow(
      'newgame',
    )
    const row = await database.db
      .selectFrom('games')
      .selectAll()
      .where('game_id', '=', 'newgame')
      .executeTakeFirstOrThrow()
    expect(row).toMatchObject({ search: 'xyxe', letter: 'X', config: { name: '新游戏二' } })
  })

  test('a newer shipped form and its search words reach a database that has the game, an imported one stays', async () => {
    const { db } = database
    const stored = () =>
      db.selectFrom('games').select(['config', 'search']).where('game_id', '=', 'val').executeTakeFirst()
    const store = (config: FormConfig) =>
      db
        .updateTable('games')
        .set({ config: JSON.stringify(config), search: 'old' })
        .where('game_id', '=', 'val')
        .execute()
    await seed(db, { now: SALES_UNTIL, only: ['val'] })
    await store({ ...game('val'), schemaVersion: 1, fields: [] })
    await seed(db, { now: SALES_UNTIL, only: ['val'] })
    expect(await stored()).toMatchObject({ config: game('val'), search: expect.stringContaining('valorant') })
    const imported = { ...game('val'), schemaVersion: 50, readList: ['自己的'] }
    await store(imported)
    await seed(db, { now: SALES_UNTIL, only: ['val'] })
    expect((await stored())?.config).toEqual(imported)
  })
})
