import { unzipSync } from 'fflate'
import { sql } from 'kysely'
import { insertSales, type SaleRow, storeSales } from '../db/sales'
import { userDataTables } from '../domains/accounts/account-deletion'
import { ownColumns } from '../domains/accounts/data-export/contents'
import { reporterOf } from '../domains/accounts/reporter-hashes'
import { setupServer } from './harness'
import { uploadPicture } from './upload-picture'

const DAY = 86_400_000
let base: string
const server = setupServer()
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' })
})

let next = 13_500_300_000
async function newUser() {
  const mobile = String(next++)
  const { token, userId } = await server.login(mobile)
  const ask = async () => (await server.call('dataExport', 'request', {}, { token })).body
  const look = async () => (await server.call('dataExport', 'get', {}, { token })).body.data
  return { mobile, token, userId, ask, look }
}
const encryption = () => {
  const { deps } = server.lifecycle
  if (!deps) throw new Error('not started')
  return deps.encryption
}
const runJobs = async () => server.lifecycle.jobRunner?.runAll()
const fetched = async (url = '') => fetch(`${base}${new URL(url).pathname}`)

const upload = (token: string) => uploadPicture(server, base, token)

test('every table with rows of a user says what of it is handed over', () => {
  expect(Object.keys(ownColumns).sort()).toEqual([...userDataTables.deleted, ...userDataTables.kept].sort())
})

test('an export has what the user gave and did, with pictures, and nothing secret or of others', async () => {
  const [user, other] = [await newUser(), await newUser()]
  const picture = await upload(user.token)
  const content = '暗号：这是我自己写的反馈'
  await server.call('user', 'submitFeedback', { type: 4, content, images: [picture] }, { token: user.token })
  await server.call('user', 'submitFeedback', { type: 4, content: '别人的反馈内容' }, { token: other.token })
  const { db } = server.database
  const offer = (who: { userId: string }, externalId: string, priceFen: number): SaleRow => ({
    ...{ gameId: 'hok', kind: 'ASKING', priceFen, at: 1_700_000_000_000, source: 'pasted-listing', externalId },
    ...{ attributes: { heroCount: 9 }, channel: 'LISTING', reporter: reporterOf(encryption(), who.userId) },
  })
  // given before two accounts were merged by a release that did not move marks
  const former = { userId: 'u-before-merge' }
  await db.insertInto('former_ids').values({ former_id: former.userId, user_id: user.userId }).execute()
  await insertSales(db, [offer(user, 'a', 1100), offer(other, 'b', 2200), offer(former, 'd', 2500)])
  const held = [offer(user, 'c', 3300)]
  await storeSales(
    db,
    held.map((sale) => ({ ...sale, reason: 'OUTLIER' })),
    server.clock.now(),
  )
  await sql`insert into collection_tasks (id, user_id, game_id, login_type, schema_version, lookup, status, listing_fen,
      created_at, changed_at, expire_at)
    values ('reading', ${user.userId}, 'hok', 'QR', 1, '{}', 'COLLECTING', 5500, 0, 0, ${server.clock.now() + DAY}::bigint)`.execute(
    db,
  )
  expect(await user.look()).toEqual({ status: 'NONE' })
  const asked = (await user.ask()).data
  expect(asked).toMatchObject({ status: 'WAITING' })
  expect(asked.url).toBeUndefined()
  await runJobs()

  const ready = await user.look()
  expect(ready).toMatchObject({ status: 'READY', requestedAt: asked.requestedAt })
  expect((ready.expireAt ?? 0) - server.clock.now()).toBeGreaterThan(DAY - 60_000)
  const answer = await fetched(ready.url)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/zip'])
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="my-data.zip"')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const bytes = new Uint8Array(await answer.arrayBuffer())
  expect(bytes.length).toBe(ready.bytes)
  const files = unzipSync(bytes)
  const text = (name: string) => Buffer.from(files[name] ?? []).toString()
  expect(JSON.parse(text('account.json'))).toMatchObject({ id: user.userId, mobile: user.mobile })
  expect(JSON.parse(text('feedback.json'))).toEqual([expect.objectContaining({ content, images: [picture] })])
  expect(JSON.parse(text('orders.json'))).toEqual([])
  const given = { game_id: 'hok', at: 1_700_000_000_000, attributes: { heroCount: 9 } }
  expect(JSON.parse(text('listing_prices.json'))).toEqual(
    [1100, 2500, 3300].map((price_fen) => ({ ...given, price_fen })),
  )
  expect(JSON.parse(text('collection_tasks.json'))).toMatchObject([{ status: 'COLLECTING', listing_fen: 5500 }])
  const pictures = Object.keys(files).filter((name) => name.startsWith('pictures/'))
  expect(pictures).toHaveLength(1)
  expect(Buffer.from(files[pictures[0] as string] ?? []).subarray(0, 2)).toEqual(Buffer.from([0xff, 0xd8]))
  const all = Object.keys(files).map(text).join('\n')
  for (const secret of ['token_hash', 'password_hash', other.userId, '别人的反馈内容', user.token])
    expect(all).not.toContain(secret)

  const box = (await server.call('user', 'messages', {}, { token: user.token })).body.data
  expect(box.list[0]).toMatchObject({ title: '个人信息副本可以下载了' })
})

test('a table of many rows is handed over whole, each row once', async () => {
  const { userId, ...user } = await newUser()
  const { db } = server.database
  // all with the same title and time, so that only the pagination keeps them apart
  await sql`insert into messages (id, user_id, type, title, summary, body, biz_type, read, created_at)
    select ${userId} || '-' || n, ${userId}, 'SYSTEM', 't', 's', n::text, 'ORDER', false, ${server.clock.now()}::bigint
    from generate_series(1, 2500) n`.execute(db)
  await user.ask()
  await runJobs()
  const bytes = new Uint8Array(await (await fetched((await user.look()).url)).arrayBuffer())
  const rows: { body: string }[] = JSON.parse(Buffer.from(unzipSync(bytes)['messages.json'] ?? []).toString())
  const bodies = rows.map(({ body }) => Number(body)).filter((n) => n > 0)
  expect(bodies.sort((a, b) => a - b)).toEqual(Array.from({ length: 2500 }, (_, i) => i + 1))
})

test('asking twice makes one; the address of another, a forged and an ended one give nothing', async () => {
  const [user, other] = [await newUser(), await newUser()]
  await user.ask()
  expect((await user.ask()).data.status).toBe('WAITING')
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from data_exports
    where user_id = ${user.userId}`.execute(server.database.db)
  expect(rows[0]?.n).toBe(1)
  await runJobs()
  const { url = '' } = await user.look()
  expect((await user.ask()).data.status).toBe('READY')
  expect(await other.look()).toEqual({ status: 'NONE' })
  // the last base64url character has unused bits: changing only those must be noticed, too
  for (const forged of ['A', 'B', 'C', 'D', 'Q', 'g', 'w'].map((c) => url.replace(/.(?=\/my-data)/, c)))
    if (forged !== url) expect((await fetched(forged)).status).toBe(404)
  expect((await fetched(`${base}/data-exports/x/my-data.zip`)).status).toBe(404)
  expect((await fetched(url)).status).toBe(200)
  server.clock.advance(DAY + 1)
  expect((await fetched(url)).status).toBe(404)
  await runJobs()
  const left = await server.database.db
    .selectFrom('data_exports')
    .select('id')
    .where('user_id', '=', user.userId)
    .execute()
  expect(left).toEqual([])
  const again = await server.login(user.mobile)
  expect((await server.call('dataExport', 'get', {}, { token: again.token })).body.data).toEqual({ status: 'NONE' })
})

test('three failures end it: the user is notified and may ask again, three times a day', async () => {
  const user = await newUser()
  const storage = server.lifecycle.deps?.providers.storage as { putFile: unknown }
  const { putFile } = storage
  storage.putFile = async () => {
    throw new Error('the disk is full')
  }
  await user.ask()
  for (let i = 0; i < 3; i += 1) {
    await runJobs()
    server.clock.advance(5 * 60_000)
  }
  expect(await user.look()).toMatchObject({ status: 'FAILED' })
  storage.putFile = putFile
  expect((await user.ask()).data.status).toBe('WAITING')
  await runJobs()
  expect((await user.look()).status).toBe('READY')
})

test('an account deleted while its export is made has none', async () => {
  const user = await newUser()
  await user.ask()
  await server.database.db.deleteFrom('data_exports').where('user_id', '=', user.userId).execute()
  await runJobs()
  expect(await user.look()).toEqual({ status: 'NONE' })
})
