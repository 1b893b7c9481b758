import { createReadStream, readdirSync } from 'node:fs'
import path from 'node:path'
import { games, SALES_UNTIL } from '../../../test/arbitrary'
import { setupDatabase } from '../../../test/harness'
import { encodingOf } from './encoding'
import { readRows } from './rows'
import { importSales, storeNew } from './sales'

const database = setupDatabase()
const folder = path.join(__dirname, 'fixtures')
afterEach(async () => {
  await database.db.deleteFrom('sales').execute()
})

async function importFile(name: string) {
  const file = path.join(folder, name)
  const notStored: string[] = []
  const format = name.endsWith('.csv') ? 'csv' : 'ndjson'
  // pieces that cut characters and line ends
  const bytes = () => createReadStream(file, { highWaterMark: 13 })
  const summary = await importSales(readRows(bytes(), format, await encodingOf(bytes())), {
    configOf: async (id) => games.find((config) => config.gameId === id),
    screen: async (sales) => sales,
    store: (batch) => storeNew(database.db, batch, SALES_UNTIL),
    report: (line, reason) => notStored.push(`${line} ${reason}`),
    now: SALES_UNTIL,
  })
  const { read, added, known, different, refused } = summary
  // nothing is lost silently
  expect(added + known + different + refused).toBe(read)
  expect(notStored).toHaveLength(different + refused)
  const stored = await database.db.selectFrom('sales').selectAll().orderBy('id').execute()
  return { counts: [added, known, different, refused], notStored, stored }
}

const reasons = (...list: string[]) => list.map((reason) => expect.stringContaining(reason))

test.each<[file: string, counts: number[], notStored: string[]]>([
  ['01-plain.csv', [3, 0, 0, 0], []],
  ['02-bom-crlf.csv', [3, 0, 0, 0], []],
  ['03-cr-only.csv', [3, 0, 0, 0], []],
  ['04-mixed-line-ends.csv', [3, 0, 0, 0], []],
  ['05-gbk.csv', [3, 0, 0, 0], []],
  ['06-gb18030.ndjson', [3, 0, 0, 0], []],
  ['07-gbk-like-utf8.csv', [2, 0, 0, 0], []],
  ['08-cut-in-a-character.csv', [0, 0, 0, 5], ['1 文件既不是', '2 文件', '3 文件', '4 文件', '5 文件']],
  ['09-scientific-ids.csv', [1, 0, 0, 2], ['2 externalId 被写成了科学计数（1.23457E+17）', '3 externalId']],
  [
    '10-ids-cut-to-15-digits.csv',
    [1, 0, 39, 0],
    Array.from(
      { length: 39 },
      (_, i) => `${i + 3} 已有同一 source 与 externalId 的记录，priceFen、at、attributes 不同`,
    ),
  ],
  ['11-listed-at-last-and-missing.csv', [3, 0, 0, 1], ['5 listedAt 应为毫秒时间戳，不晚于 at']],
  ['12-empty-columns-at-the-end.csv', [2, 0, 0, 1], ['4 应有 7 列，实有 9 列']],
  ['13-prices-in-words.csv', [5, 0, 0, 2], ['7 priceFen 应为', '8 priceFen 应为']],
  ['14-dates.csv', [5, 0, 0, 3], ['7 at 应为', '8 at 被写成了科学计数', '9 at 应为']],
  ['15-names-like-ours.csv', [3, 0, 0, 3], ['3 source 只能用', '4 source 不能是 follow-up', '6 source 只能用']],
  ['16-two-columns-missing.csv', [1, 0, 0, 1], ['2 应有 7 列，实有 4 列']],
  [
    '17-broken-json-and-quotes.csv',
    [1, 0, 0, 3],
    ['2 attributes 不是有效的 JSON', '3 引号没有配对', '5 attributes.heroCount'],
  ],
  [
    '18-known-and-different.ndjson',
    [1, 1, 2, 0],
    ['3 已有同一 source 与 externalId 的记录，priceFen 不同', '4 已有同一'],
  ],
  ['19-numbers-in-quotes.ndjson', [1, 0, 0, 2], ['2 priceFen 应为数字：请去掉引号', '3 externalId 是小数，或大到']],
])('%s', async (file, counts, notStored) => {
  const found = await importFile(file)
  expect(found.notStored).toEqual(reasons(...notStored))
  expect(found.counts).toEqual(counts)
})

test('a file without the columns is refused as a whole', async () => {
  await expect(importFile('20-header-in-chinese.csv')).rejects.toThrow('缺少 gameId、kind')
})

test('every file is tested', () => expect(readdirSync(folder)).toHaveLength(21))

test('texts, prices and times are stored as they were meant', async () => {
  const sources = async (file: string) => {
    const names = (await importFile(file)).stored.map(({ source }) => source)
    await database.db.deleteFrom('sales').execute()
    return new Set(names)
  }
  expect(await sources('02-bom-crlf.csv')).toEqual(new Set(['店铺甲']))
  expect(await sources('05-gbk.csv')).toEqual(new Set(['平台', '店铺甲']))
  expect(await sources('06-gb18030.ndjson')).toEqual(new Set(['店铺㐂']))
  expect(await sources('07-gbk-like-utf8.csv')).toEqual(new Set(['平台']))
  const { stored: prices } = await importFile('13-prices-in-words.csv')
  expect(prices.map((row) => row.price_fen)).toEqual([120_000, 1_200_000, 120_000, 98_000, 1_200])
  await database.db.deleteFrom('sales').execute()
  const { stored: times } = await importFile('14-dates.csv')
  const midnight = Date.UTC(2025, 0, 4, 16)
  const [afternoon, noon] = [midnight + ((13 * 60 + 20) * 60 + 5) * 1000, midnight + 12 * 3_600_000]
  expect(times.map((row) => row.at)).toEqual([midnight, afternoon, midnight, midnight, noon])
})
