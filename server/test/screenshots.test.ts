import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import { readNextTask } from '../domains/games/screenshots/read-tasks'
import { readingsOf } from '../domains/games/shown-answers'
import type { OcrPage, OcrPort } from '../providers/ocr/port'
import { createSandboxOcr, sideFileOf } from '../providers/ocr/sandbox'
import { setupServer } from './harness'
import { jpeg, png, webp } from './pictures'

const DAY = 86_400_000
const files = [jpeg, png, webp]
const types = ['image/jpeg', 'image/png', 'image/webp']
let base: string
const server = setupServer({ games: ['hok', 'ys'], env: { OCR: 'sandbox' } })
beforeAll(async () => {
  base = await server.app.listen({ port: 0, host: '127.0.0.1' })
})

afterEach(() => server.database.db.deleteFrom('screenshot_tasks').execute())

const folder = () => path.join(server.settings.dataDir, 'ocr')
const ocr = () => createSandboxOcr(folder())
const deps = () => {
  const { deps: all } = server.lifecycle
  if (!all) throw new Error('not started')
  return all
}

let next = 13_500_400_000
async function newUser() {
  const { token, userId } = await server.login(String(next++))
  const upload = async (n: number) => {
    const sts = (await server.call('app', 'stsPost', { scene: 'SCREENSHOT' }, { token })).body.data
    const key = `${sts.dir}00000000-0000-4000-8000-00000000000${n}`
    const form = new FormData()
    for (const [name, value] of Object.entries({ ...JSON.parse(sts.token), key, 'Content-Type': types[n] ?? '' }))
      form.append(name, String(value))
    form.append('file', new Blob([new Uint8Array(files[n] ?? jpeg)]), 'p')
    expect((await fetch(base + sts.host, { method: 'POST', body: form })).status).toBe(204)
    return key
  }
  const create = async (keys: string[], gameId = 'hok') =>
    (await server.call('screenshot', 'create', { gameId, keys }, { token })).body
  const get = async (taskId: string) => (await server.call('screenshot', 'get', { taskId }, { token })).body
  return { token, userId, upload, create, get }
}

/** A page of rows of texts, evenly apart. */
const page = (...rows: string[][]): OcrPage => ({
  width: 1000,
  height: 2000,
  angle: 0,
  texts: rows.flatMap((row, y) =>
    row.map((text, x) => ({ text, score: 0.99, box: [0.1 + x * 0.4, 0.1 + y * 0.05, 0.1, 0.015] as const })),
  ),
})

async function show(key: string, shown: OcrPage) {
  const stored = await deps().providers.storage.read(key)
  if (!stored) throw new Error(`no picture ${key}`)
  mkdirSync(folder(), { recursive: true })
  writeFileSync(path.join(folder(), sideFileOf(await buffer(stored))), JSON.stringify(shown))
}

test('a form is filled in from two pictures, with the place of each answer', async () => {
  const user = await newUser()
  const keys = [await user.upload(0), await user.upload(1)]
  await show(keys[0] ?? '', page(['英雄', '108/126'], ['皮肤', '318']))
  await show(keys[1] ?? '', page(['荣耀典藏', '4'], ['貂蝉·猫影幻舞', '']))
  const { taskId } = (await user.create(keys)).data
  expect((await user.get(taskId)).data).toEqual({ status: 'WAITING', answers: {}, sources: [], ask: [] })
  expect(await readNextTask(deps(), ocr())).toBe(true)
  const { status, answers, sources, ask } = (await user.get(taskId)).data
  expect({ status, ask, answers }).toEqual({
    status: 'DONE',
    ask: [],
    answers: { heroCount: 108, skinCount: 318, gloryCount: 4, rareSkins: ['diaochan-maoyinghuanwu'] },
  })
  expect(sources.find(({ field }) => field === 'gloryCount')).toEqual({
    ...{ field: 'gloryCount', key: keys[1], score: 0.99 },
    box: [0.5, 0.1, 0.1, 0.015],
  })
  expect(await readNextTask(deps(), ocr())).toBe(false)
})

test('pictures that contradict each other are asked about', async () => {
  const user = await newUser()
  const keys = [await user.upload(0), await user.upload(1)]
  await show(keys[0] ?? '', page(['皮肤', '318']))
  await show(keys[1] ?? '', page(['皮肤', '313']))
  const { taskId } = (await user.create(keys)).data
  await readNextTask(deps(), ocr())
  expect((await user.get(taskId)).data.ask).toEqual(['skinCount'])
})

test('a page of another game, one of none and an unreadable file are told', async () => {
  const user = await newUser()
  const [first = '', second = '', third = ''] = [await user.upload(0), await user.upload(1), await user.upload(2)]
  await show(first, page(['冒险等级', '58'], ['纠缠之缘', '12'], ['原石', '3200'], ['胡桃', '']))
  await show(second, page(['今天天气', '不错']))
  const noteOf = async (key: string) => {
    const { taskId } = (await user.create([key])).data
    await readNextTask(deps(), ocr())
    return (await user.get(taskId)).data.note
  }
  expect(await noteOf(first)).toBe('像是原神，要切换吗')
  expect(await noteOf(second)).toBe('没有认出王者荣耀的资料')
  expect(await noteOf(third)).toBe('图片不清楚，请换清晰的截图')
})

test("nobody reads another user's pictures or tasks", async () => {
  const [user, other] = [await newUser(), await newUser()]
  const key = await user.upload(0)
  expect((await other.create([key])).code).toBe('VALIDATION_FAILED')
  const { taskId } = (await user.create([key])).data
  expect((await other.get(taskId)).code).toBe('NOT_FOUND')
})

test('a recogniser that dies is tried again, and the user is told in the end', async () => {
  const user = await newUser()
  const key = await user.upload(0)
  await show(key, page(['皮肤', '318']))
  const { taskId } = (await user.create([key])).data
  const dying: OcrPort = { read: () => Promise.reject(new Error('killed')), close: async () => undefined }
  await readNextTask(deps(), dying)
  expect((await user.get(taskId)).data.status).toBe('WAITING')
  await readNextTask(deps(), dying)
  await readNextTask(deps(), dying)
  expect((await user.get(taskId)).data).toMatchObject({ status: 'FAILED', note: expect.stringContaining('没有成功') })
})

test('a task whose process died is taken over with the pictures already read', async () => {
  const user = await newUser()
  const keys = [await user.upload(0), await user.upload(1)]
  await show(keys[0] ?? '', page(['皮肤', '318']))
  await show(keys[1] ?? '', page(['英雄', '108']))
  const { taskId } = (await user.create(keys)).data
  // the process ends after the first picture
  const stopping = new AbortController()
  const once: OcrPort = {
    async read(picture) {
      stopping.abort()
      return ocr().read(picture)
    },
    close: async () => undefined,
  }
  await readNextTask(deps(), once, stopping.signal)
  expect((await user.get(taskId)).data).toMatchObject({ status: 'READING', answers: { skinCount: 318 } })
  expect(await readNextTask(deps(), ocr())).toBe(false)
  await server.clock.advance(2 * 60_000)
  expect(await readNextTask(deps(), ocr())).toBe(true)
  expect((await user.get(taskId)).data).toMatchObject({ status: 'DONE', answers: { skinCount: 318, heroCount: 108 } })
})

test('task and pictures are removed after a day, but not those of an order', async () => {
  const user = await newUser()
  const [kept = '', removed = ''] = [await user.upload(0), await user.upload(1)]
  const { taskId } = (await user.create([kept, removed])).data
  await readNextTask(deps(), ocr())
  const now = server.clock.now()
  await server.database.db
    .insertInto('orders')
    .values({
      ...{ id: 'shot-order', order_no: 'shot-order', user_id: user.userId, game_id: 'hok', mode: 'MANUAL' },
      ...{ status: 'DONE', pay_status: 'UNPAID', title: '', source: 'TYPED', schema_version: 1, request_key: 'shot' },
      ...{ answers: JSON.stringify({ screenshots: [kept] }), created_at: now },
      ...{ origin_fen: 0, discount_fen: 0, pay_fen: 0 },
    })
    .execute()
  await server.clock.advance(DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect((await user.get(taskId)).data.status).toBe('DONE')
  expect(await deps().providers.storage.typeOf(kept)).toBe('image/jpeg')
  expect(await deps().providers.storage.typeOf(removed)).toBeUndefined()
  await server.database.db.deleteFrom('orders').where('id', '=', 'shot-order').execute()
  await server.clock.advance(DAY)
  await server.lifecycle.jobRunner?.runAll()
  expect((await user.get(taskId)).code).toBe('NOT_FOUND')
  expect(await deps().providers.storage.typeOf(kept)).toBeUndefined()
})

test('pictures that an owner supplies for an order are read for its appraiser', async () => {
  const user = await newUser()
  const key = await user.upload(0)
  await show(key, page(['英雄', '108/126'], ['皮肤', '318']))
  const { now } = server.clock
  await server.database.db
    .insertInto('orders')
    .values({
      ...{ id: 'asked-order', order_no: 'asked-order', user_id: user.userId, game_id: 'hok', mode: 'MANUAL' },
      ...{ status: 'WAIT_INFO', pay_status: 'PAID', title: '', source: 'TYPED', schema_version: 1, level: 'STD' },
      ...{
        request_key: 'asked',
        answers: '{"skinCount":318}',
        info_wanted: '请补充主页截图',
        info_due_at: now() + DAY,
      },
      ...{ due_at: now() + DAY, created_at: now(), origin_fen: 1990, discount_fen: 0, pay_fen: 1990 },
    })
    .execute()
  const more = { gameId: 'hok', schemaVersion: 1, answers: {}, level: 'STD' as const, images: [key] }
  const supplied = await server.call('evaluation', 'submitManual', { ...more, orderId: 'asked-order' }, user)
  expect(supplied.body.code).toBe('OK')
  expect(await readNextTask(deps(), ocr())).toBe(true)
  const [read] = await readingsOf(server.database.db, { userId: user.userId, gameId: 'hok' })
  expect(read?.answers).toEqual({ heroCount: 108, skinCount: 318 })
})

test('the form says whether pictures can be read', async () => {
  const { body } = await server.call('evaluation', 'gameConfig', { gameId: 'hok', mode: 'AI' })
  expect(body.data.screenshots).toBe(true)
})

test('nine pictures by 20 users at once: two readers end every task, and no picture is read twice', async () => {
  const user = await newUser()
  const key = await user.upload(0)
  const now = server.clock.now()
  const tasks = Array.from({ length: 20 }, (_, i) => ({
    ...{ id: `many-${i}`, user_id: user.userId, game_id: 'hok', keys: JSON.stringify(Array(9).fill(key)) },
    ...{ status: 'WAITING' as const, created_at: now + i, expire_at: now + DAY },
  }))
  await server.database.db.insertInto('screenshot_tasks').values(tasks).execute()
  let reads = 0
  const counting: OcrPort = {
    async read() {
      reads += 1
      return { ...page(['皮肤', '318']), processorMs: 900 }
    },
    close: async () => undefined,
  }
  const reader = async () => {
    while (await readNextTask(deps(), counting));
  }
  await Promise.all([reader(), reader()])
  const rows = await server.database.db.selectFrom('screenshot_tasks').select(['status', 'processor_ms']).execute()
  expect(rows).toEqual(Array(20).fill({ status: 'DONE', processor_ms: 8100 }))
  expect(reads).toBe(180)
})
