import fc from 'fast-check'
import { processorTime } from '../../../test/processor'
import { encodingOf } from './encoding'
import { MAX_ROW_CHARS, type RawRow, readRows } from './rows'

const HEADER = 'gameId,kind,priceFen,at,source,externalId,attributes'

async function rowsOf(text: string | Uint8Array, format: 'csv' | 'ndjson', cut = 7): Promise<RawRow[]> {
  const bytes = typeof text === 'string' ? new TextEncoder().encode(text) : text
  async function* chunks() {
    for (let offset = 0; offset < bytes.length; offset += cut) yield bytes.slice(offset, offset + cut)
  }
  const rows: RawRow[] = []
  for await (const row of readRows(chunks(), format, 'utf-8')) rows.push(row)
  return rows
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`

test('a CSV row comes out as it went in, however the bytes are cut', async () => {
  const value = fc.record({
    source: fc.string({ unit: 'grapheme' }).map((text) => text.replace(/[\r\n\uFFFD]/g, '')),
    externalId: fc.string({ minLength: 1 }).map((text) => text.replace(/[\r\n]/g, '')),
    attributes: fc.dictionary(fc.string(), fc.oneof(fc.integer(), fc.string(), fc.array(fc.string()))),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(value, { maxLength: 4 }), fc.integer({ min: 1, max: 40 }), async (values, cut) => {
      const lines = values.map(
        ({ source, externalId, attributes }) =>
          `hok,SOLD,12300,1763692800000,${quoted(source)},${quoted(externalId)},${quoted(JSON.stringify(attributes))}`,
      )
      const rows = await rowsOf([HEADER, ...lines].join('\r\n'), 'csv', cut)
      expect(rows.map((row) => ('value' in row ? row.value : row.reason))).toEqual(
        values.map((value) => ({
          gameId: 'hok',
          kind: 'SOLD',
          priceFen: 12300,
          at: 1763692800000,
          ...value,
          attributes: JSON.parse(JSON.stringify(value.attributes)),
        })),
      )
    }),
    { numRuns: 60 },
  )
})

test('broken CSV rows are named by their line and cost no other row', async () => {
  const good = (id: string) => `hok,SOLD,1,2,s,${id},{}`
  const text = [
    `\uFEFF${HEADER}`,
    good('a'),
    'hok,SOLD,1',
    'hok,SOLD,1,2,s,"never closed,{}',
    good('b'),
    'hok,SOLD,1,2,s,c,{not json}',
    '',
    `hok,SOLD,1,2,s,${'x'.repeat(MAX_ROW_CHARS)},{}`,
    'hok,SOLD,1,2,s,"two\nlines",{}',
    'hok,SOLD,1,2,s,"open again,{}',
    good('d'),
    'hok,SOLD,1,2,s,"e",{}',
  ].join('\n')
  const rows = await rowsOf(text, 'csv', 1_000)
  expect(rows.map((row) => ('value' in row ? row.value.externalId : `${row.line} ${row.reason}`))).toEqual([
    'a',
    '3 应有 7 列，实有 3 列',
    expect.stringMatching(/^4 引号没有配对/),
    'b',
    '6 attributes 不是有效的 JSON',
    `8 一行超过 ${MAX_ROW_CHARS} 个字符`,
    expect.stringMatching(/^9 引号没有配对/),
    expect.stringMatching(/^10 引号没有配对/),
    expect.stringMatching(/^11 引号没有配对/),
    'd',
    'e',
  ])
})

/** `店铺甲` and `平台` in GBK; the latter is valid UTF-8, too */
const gbk = { 甲: [0xb5, 0xea, 0xc6, 0xcc, 0xbc, 0xd7], 平台: [0xc6, 0xbd, 0xcc, 0xa8] }

test.each([1, 3, 1000])('the encoding is decided for the whole of a file, read %i bytes at a time', async (cut) => {
  const text = (strings: string) => [...new TextEncoder().encode(strings)]
  const fileOf = (ids: readonly (readonly number[])[]) =>
    Uint8Array.from(ids.flatMap((id) => [...text('{"externalId":"'), ...id, ...text('"}\n')]))
  async function* chunks(file: Uint8Array) {
    for (let offset = 0; offset < file.length; offset += cut) yield file.slice(offset, offset + cut)
  }
  const read = async (file: Uint8Array) => {
    const rows: unknown[] = []
    for await (const row of readRows(chunks(file), 'ndjson', await encodingOf(chunks(file))))
      rows.push('value' in row ? row.value.externalId : row.reason.slice(0, 5))
    return rows
  }
  expect(await read(fileOf([text('店铺甲'), text('😀'), text('é')]))).toEqual(['店铺甲', '😀', 'é'])
  expect(await read(fileOf([gbk.平台, gbk.甲]))).toEqual(['平台', '店铺甲'])
  expect(await read(fileOf([gbk.平台]))).toEqual(['平台'])
  expect(await read(fileOf([text('é')]))).toEqual(['é'])
  // a cut file, and one of two encodings
  for (const broken of [
    [0xff, 0xff],
    [0x81, 0x00],
  ])
    expect(await read(fileOf([gbk.甲, broken]))).toEqual(['文件既不是', '文件既不是'])
  expect(await read(fileOf([text('\uFFFD'), text('z')]))).toEqual(['含有无法识', 'z'])
})

test('a byte order mark, CRLF and empty lines are no part of a row', async () => {
  const rows = await rowsOf('\uFEFF{"a":1}\r\n\r\n\uFEFF{"a":2}\r\n  \r\n', 'ndjson')
  expect(rows).toEqual([
    { line: 1, value: { a: 1 } },
    { line: 3, value: { a: 2 } },
  ])
})

test('a CSV without the columns is refused as a whole', async () => {
  await expect(rowsOf('gameId,kind\nhok,SOLD', 'csv')).rejects.toThrow(
    '缺少 priceFen、at、source、externalId、attributes',
  )
})

test('NDJSON: blank lines are skipped, anything but an object is named', async () => {
  const rows = await rowsOf('\uFEFF{"a":"é"}\n\n[1]\n{"a":\n{"b":"估价"}', 'ndjson', 1)
  expect(rows).toEqual([
    { line: 1, value: { a: 'é' } },
    { line: 3, reason: '不是 JSON 对象' },
    { line: 4, reason: '不是有效的 JSON' },
    { line: 5, value: { b: '估价' } },
  ])
})

test('an empty CSV and one with a column twice are refused as a whole', async () => {
  await expect(rowsOf('', 'csv')).rejects.toThrow('CSV 文件是空的')
  await expect(rowsOf(`${HEADER},kind\n`, 'csv')).rejects.toThrow('重复的列名')
})

test.each<['csv' | 'ndjson', string]>([
  // every line opens another quote inside the previous one
  ['csv', 'a"b,"c\n'],
  ['csv', '"\n'],
  ['ndjson', '{"a":'],
])('%s: megabytes of %j cost little time and memory', async (format, piece) => {
  const block = new TextEncoder().encode(piece.repeat(Math.floor(500_000 / piece.length)))
  async function* chunks() {
    if (format === 'csv') yield new TextEncoder().encode(`${HEADER}\n`)
    for (let i = 0; i < 4; i++) yield block
  }
  let good = 0
  const spent = processorTime()
  for await (const row of readRows(chunks(), format, 'utf-8')) if ('value' in row) good++
  expect(good).toBe(0)
  expect(spent()).toBeLessThan(30_000)
})
