import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { insertSales, type SaleRow } from '../db/sales'
import { countOf, type Given, ndjson, newPartner, partner, post, rows, server, setUpPartner } from './partner-feed'

setUpPartner()

test('sales are stored once, also if the same body is sent again', async () => {
  const body = ndjson(rows(30, 'shop-a'))
  const first = await post(body)
  expect([first.status, first.body]).toEqual([200, { accepted: 30, known: 0, held: 0, refused: [] }])
  expect((await post(body)).body).toEqual({ accepted: 0, known: 30, held: 0, refused: [] })
  expect((await post(`${body}\n${body}\n`)).body).toEqual({ accepted: 0, known: 60, held: 0, refused: [] })
  expect(await countOf('sales', 'shop-a')).toBe(30)
})

test('a call with another key, time or signature is refused and stores nothing', async () => {
  const body = ndjson(rows(2, 'shop-b'))
  const minute = 60_000
  const forged: Given[] = [
    { key: 'pk_aaaaaaaaaaaaaaaaaaaa' },
    { key: 'nonsense' },
    { secret: 'another' },
    { sign: '' },
    { sign: 'f'.repeat(64) },
    { time: Date.now() - 6 * minute },
    { time: Date.now() + 6 * minute },
    { time: Number.NaN },
  ]
  for (const given of forged) expect((await post(body, given)).status).toBe(401)
  const time = Date.now()
  const sign = createHmac('sha256', partner.secret).update(`${time}\n${body}`).digest('hex')
  expect((await post(`${body}\n`, { time, sign })).status).toBe(401)
  await server.database.db
    .updateTable('partners')
    .set({ stopped_at: 1 })
    .where('partner_id', '=', partner.key)
    .execute()
  expect((await post(body)).status).toBe(401)
  expect(await countOf('sales', 'shop-b')).toBe(0)
})

test('the secret is not readable in the database', async () => {
  const { db } = server.database
  const kept = JSON.stringify(await db.selectFrom('partners').selectAll().execute())
  expect(kept).not.toContain(partner.secret)
})

test('the signature covers the bytes, whatever the content type', async () => {
  const [row] = rows(1, '店铺-乙')
  for (const type of ['application/json', 'text/plain', 'application/x-ndjson; charset=utf-8'])
    expect((await post(JSON.stringify(row), { type })).status).toBe(200)
  expect((await post('')).body).toEqual({ accepted: 0, known: 0, held: 0, refused: [] })
})

test('too many lines and too many bytes are refused as a whole', async () => {
  expect((await post('{}\n'.repeat(5_000))).status).toBe(200)
  expect((await post('{}\n'.repeat(5_001))).status).toBe(413)
  expect((await post(' '.repeat(5 * 1024 * 1024 + 1))).status).toBe(413)
})

test('invalid rows are refused individually with line and reason', async () => {
  const [good] = rows(1, 'shop-c')
  if (!good) throw new Error('no row')
  const now = server.clock.now()
  const bad = [
    { ...good, externalId: 'future', at: now + 3_600_000 },
    { ...good, externalId: 'ancient', at: Date.UTC(2019, 0, 1) },
    { ...good, externalId: 'listed later', listedAt: good.at + 1 },
    { ...good, externalId: 'nobody', gameId: 'nope' },
    { ...good, externalId: 'own', source: 'follow-up' },
  ]
  const body = ['{broken', ...bad.map((row) => JSON.stringify(row)), '', JSON.stringify(good), '[]'].join('\n')
  const { body: answer } = await post(body)
  expect(answer).toMatchObject({ accepted: 1, known: 0, held: 0 })
  expect(answer.refused.map(({ line, reason }: { line: number; reason: string }) => `${line} ${reason}`)).toEqual([
    '1 不是有效的 JSON',
    expect.stringMatching(/^2 at 应为毫秒时间戳/),
    expect.stringMatching(/^3 at 早于 .*开服/),
    expect.stringMatching(/^4 listedAt/),
    '5 没有游戏“nope”',
    '6 source 不能是 follow-up：它由系统使用',
    '9 不是 JSON 对象',
  ])
})

test.each([
  'follow-up\u200b',
  'follow\u2060-up',
  'follow-up\ufe0f',
  'ｆｏｌｌｏｗ－ｕｐ',
  '\u00a0Ａppraiser',
  'SYNTHETIC',
])('a source that looks like one of the system is refused: %j', async (source) => {
  const [row] = rows(1, source)
  const { body: answer } = await post(JSON.stringify(row))
  expect(answer).toMatchObject({ accepted: 0, held: 0, refused: [{ reason: expect.stringMatching(/^source /) }] })
  expect(await countOf('sales', source)).toBe(0)
})

test('listedAt is stored', async () => {
  const [row] = rows(1, 'shop-d')
  if (!row) throw new Error('no row')
  await post(JSON.stringify({ ...row, listedAt: row.at - 86_400_000 }))
  const stored = await server.database.db
    .selectFrom('sales')
    .select(['listed_at', 'at', 'channel'])
    .where('source', '=', 'shop-d')
    .executeTakeFirstOrThrow()
  expect(stored).toEqual({ listed_at: row.at - 86_400_000, at: row.at, channel: 'PARTNER' })
})

test('a replayed call changes nothing, also a stored row with another price, and after five minutes it is refused', async () => {
  const [row] = rows(1, 'shop-replay')
  if (!row) throw new Error('no row')
  const [body, time] = [JSON.stringify(row), Date.now()]
  expect((await post(body, { time })).body).toMatchObject({ accepted: 1 })
  expect((await post(body, { time })).body).toMatchObject({ accepted: 0, known: 1 })
  expect((await post(JSON.stringify({ ...row, priceFen: row.priceFen * 2 }))).body).toMatchObject({ known: 1 })
  jest.spyOn(server.clock, 'realNow').mockReturnValue(time + 5 * 60_000 + 1)
  expect((await post(body, { time })).status).toBe(401)
  jest.restoreAllMocks()
  const stored = await server.database.db
    .selectFrom('sales')
    .select('price_fen')
    .where('source', '=', 'shop-replay')
    .execute()
  expect(stored).toEqual([{ price_fen: row.priceFen }])
})

test('the same body sent several times at once is stored once', async () => {
  const body = ndjson(rows(30, 'shop-doubled'))
  const answers = await Promise.all([post(body), post(body)])
  for (const { status } of answers) expect([200, 429]).toContain(status)
  const total = answers.reduce((sum, { body: { accepted = 0 } }) => sum + accepted, 0)
  expect(total).toBe(30)
  expect(await countOf('sales', 'shop-doubled')).toBe(30)
})

test('rows that could not be stored come again', async () => {
  const run = (text: string) => sql.raw(text).execute(server.database.db)
  await run(`create function refuse() returns trigger language plpgsql as 'begin raise exception $$unstorable$$; end'`)
  await run('create trigger refuse before insert on sales execute function refuse()')
  const body = ndjson(rows(30, 'shop-unstored'))
  expect((await post(body)).status).toBe(500)
  await run('drop function refuse cascade')
  expect((await post(body)).body).toMatchObject({ accepted: 30 })
})

test.each([
  ['a price of nothing', { priceFen: 0 }],
  ['a negative price', { priceFen: -100 }],
  ['a fraction of a fen', { priceFen: 100.5 }],
  ['a price as text', { priceFen: '10000' }],
  ['a price beyond all numbers', { priceFen: 1e30 }],
  ['a time in seconds', { at: 1_700_000_000 }],
  ['an unknown kind', { kind: 'RENTED' }],
  ['an unknown attribute', { attributes: { nothing: 1 } }],
  ['no attributes', { attributes: {} }],
  ['an id of our own listings', { source: 'pasted-listing' }],
  ['a text that never ends', { externalId: 'x'.repeat(129) }],
  ['a line of 100,001 characters', { remark: 'x'.repeat(100_001) }],
])('%s is refused with its line, and the next row is stored', async (what, change) => {
  const [first, second] = rows(2, `shop-bad ${what}`.slice(0, 100))
  const { body: answer } = await post(ndjson([{ ...first, ...change }, second ?? {}]))
  expect(answer).toMatchObject({ accepted: 1, held: 0, refused: [{ line: 1, reason: expect.stringMatching(/./) }] })
})

test('a source of an import or of another partner is refused, in any writing', async () => {
  const reasonsOf = async (sources: readonly string[], as: Given = {}) => {
    const [row] = rows(1, '')
    const { body: answer } = await post(ndjson(sources.map((source) => ({ ...row, source }))), as)
    return answer.refused.map(({ line, reason }: { line: number; reason: string }) => `${line} ${reason}`)
  }
  expect(await reasonsOf(['\u0455taff', '店铺-字母'])).toEqual(['1 source 只能用英文、中文、日文或韩文的字母'])
  const ours = ['staff\u0301', 'Import']
  expect(await reasonsOf([...ours, '店铺'])).toEqual(
    ours.map((name, i) => `${i + 1} source 不能是“${name}”：它由系统使用`),
  )
  expect(await reasonsOf(['P1', 'p1'])).toEqual([])
  const other = await newPartner()
  expect(await reasonsOf(['ｐ1', 'P1'], other)).toEqual(
    ['1 source“ｐ1”', '2 source“P1”'].map((prefix) => `${prefix}属于另一个合作方或我们的导入`),
  )
  const [sale = {}] = rows(1, '')
  await insertSales(server.database.db, [{ ...(sale as SaleRow), source: 'market list', channel: 'IMPORT' }])
  expect(await reasonsOf(['market list'])).toEqual(['1 source“market list”属于另一个合作方或我们的导入'])
})

test('the 51st source of a partner is refused as such, and the others go on', async () => {
  const [row] = rows(1, '')
  const send = async (from: number, to: number) => {
    const list = Array.from({ length: to - from }, (_, i) => ({ ...row, source: `many-${from + i}` }))
    return (await post(ndjson(list))).body
  }
  expect(await send(0, 30)).toMatchObject({ refused: [] })
  const { refused } = await send(20, 52)
  const reason = '一个合作方最多 50 个 source，请沿用已有的'
  // it has one already
  expect(refused).toEqual([49, 50, 51].map((n) => ({ line: n - 19, reason })))
  expect(await send(0, 49)).toMatchObject({ known: 49, refused: [] })
})

test('a known row that differs is told so, waits or not, and stays as it is', async () => {
  const [stored, held, twice] = rows(3, 'shop-differs')
  if (!stored || !held || !twice) throw new Error('no rows')
  const far = { ...held, priceFen: held.priceFen * 12 }
  await post(ndjson([stored, far]))
  const changed = [
    stored,
    { ...stored, priceFen: stored.priceFen + 1, at: stored.at - 1 },
    { ...far, priceFen: held.priceFen, listedAt: held.at - 1 },
    twice,
    { ...twice, kind: 'ASKING' },
    far,
  ]
  const { body: answer } = await post(ndjson(changed))
  const reason = (fields: string) => `已有同一 source 与 externalId 的记录，${fields} 不同：没有更改`
  expect(answer).toEqual({
    ...{ accepted: 1, known: 5, held: 0, refused: [] },
    differs: [
      { line: 2, reason: reason('priceFen、at') },
      { line: 3, reason: reason('priceFen、listedAt') },
      { line: 5, reason: reason('kind') },
    ],
  })
  const prices = await server.database.db
    .selectFrom('sales')
    .select('price_fen')
    .where('source', '=', 'shop-differs')
    .orderBy('id')
    .execute()
  expect(prices.map(({ price_fen }) => price_fen)).toEqual([stored.priceFen, twice.priceFen])
})

test('a body in GBK is read as a whole', async () => {
  const lines = rows(2, 'shop-gbk').map((row, i) => JSON.stringify({ ...row, externalId: ['\xbc\xd7', '\xd2\xd2'][i] }))
  const { status, body: answer } = await post(Buffer.from(lines.join('\n'), 'latin1'))
  expect([status, answer]).toEqual([200, { accepted: 2, known: 0, held: 0, refused: [] }])
  const stored = server.database.db.selectFrom('sales').select('external_id').where('source', '=', 'shop-gbk')
  expect((await stored.execute()).map((row) => row.external_id).sort()).toEqual(['乙', '甲'])
})

test('a source belongs to the partner that sent it first', async () => {
  const body = ndjson(rows(2, 'shop-a'))
  const { body: answer } = await post(body)
  expect(answer).toMatchObject({ accepted: 0, known: 0, held: 0 })
  expect(answer.refused[0].reason).toContain('属于另一个合作方')
})

test('concurrent calls above the limit are refused with Retry-After, and nothing is lost', async () => {
  const bodies = Array.from({ length: 8 }, (_, k) =>
    ndjson(rows(40, 'shop-g').map((row) => ({ ...row, externalId: `${k}-${row.externalId}` }))),
  )
  const answers = await Promise.all(bodies.map((body) => post(body)))
  const busy = answers.filter(({ status }) => status === 429)
  expect(busy.length).toBeGreaterThan(0)
  for (const { headers } of busy) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  for (const body of bodies) expect((await post(body)).status).toBe(200)
  expect(await countOf('sales', 'shop-g')).toBe(320)
})

test('an overloaded process answers 429 with Retry-After', async () => {
  server.lifecycle.poolMetrics = { longestWait: () => 10_000, onWaited: () => undefined }
  const { status, headers, body } = await post(ndjson(rows(1, 'shop-overload')))
  server.lifecycle.poolMetrics = undefined
  expect([status, headers['retry-after'], body.code]).toEqual([429, '2', 'TOO_MANY_CALLS'])
})
