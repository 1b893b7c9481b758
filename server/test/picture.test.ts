/** @group long */
import jsQR from 'jsqr'
import { estimate, estimateRange, yuan } from '@/contract/format'
import type { Req } from '@/contract/types'
import { unlockReport } from '../domains/orders/unlock-report'
import { pictureContent } from '../domains/reports/picture/content'
import { poster } from '../domains/reports/picture/poster'
import { reportPdf } from '../domains/reports/picture/report-pdf'
import { toPng } from '../rendering/png'
import { setupServer, someAnswers } from './harness'
import { readPdf } from './pdf'
import { readPng } from './png'

const ORIGIN = 'https://gz.test'
const evil = '</text><script>alert(1)</script>'
let token: string
let orderId: string
const server = setupServer({ games: ['naraka'], env: { PUBLIC_URL: ORIGIN } })
beforeAll(async () => {
  token = (await server.login('13800000001')).token
  const config = (await server.lifecycle.deps?.repositories.games.find('naraka'))?.config
  if (!config) throw new Error('no game')
  const { gameId, schemaVersion } = config
  const req = { gameId, schemaVersion, answers: someAnswers(config), source: 'TYPED' as const }
  orderId = (await server.call('evaluation', 'submitAi', req, { token })).body.data.orderId
})

const ask = (req: Partial<Req<'evaluation', 'reportImage'>> = {}, by = token) =>
  server.call('evaluation', 'reportImage', { orderId, ...req }, { token: by })
const fetchFile = async (url: string) => {
  const { statusCode, rawPayload, headers } = await server.app.inject({ url })
  return { status: statusCode, file: rawPayload, headers }
}
const made = async (req: Partial<Req<'evaluation', 'reportImage'>> = {}) => {
  const { body } = await ask(req)
  if (!body.success) throw new Error(`${body.code} ${body.msg}`)
  return { ...body.data, ...(await fetchFile(body.data.url)) }
}
const report = async () => (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
const rename = (nickname: string) => server.database.db.updateTable('users').set({ nickname }).execute()
const qrOf = ({ file }: { file: Buffer }) => {
  const { dots, width, height } = readPng(file)
  // the QR code is at the bottom left; decoding only that part takes a tenth of the time
  const [side, from] = [Math.floor(width * 0.48), Math.floor(height - width * 0.7)]
  const part = new Uint8ClampedArray(side * side * 4)
  for (let y = 0; y < side; y += 1) {
    const offset = (from + y) * width * 4
    part.set(dots.subarray(offset, offset + side * 4), y * side * 4)
  }
  return jsQR(part, side, side)
}
const open = () =>
  server.database.db.transaction().execute((tx) => unlockReport(tx, { orderId, by: 'COUPON', now: server.clock.now() }))

// the first tests use the locked report, the later ones the unlocked one
test('the poster of a locked report contains no locked part; the document is refused', async () => {
  const { width, height, status, file, headers, size } = await made()
  expect([status, headers['content-type'], width, size]).toEqual([200, 'image/png', 750, file.length])
  expect(headers['cross-origin-resource-policy']).toBe('cross-origin')
  expect(readPng(file)).toMatchObject({ width, height })
  // the owner's own answers, which no picture shows
  const { inputs: _, listing: __, ...drawn } = await report()
  const locked = JSON.stringify(pictureContent(drawn, { nickname: '', hide: [], verifyUrl: '' }))
  await expect(ask({ format: 'PDF' })).resolves.toMatchObject({ body: { code: 'REPORT_LOCKED' } })
  await open()
  const whole = await report()
  const held = [
    ...(whole.comparables ?? []).slice(1).map(({ id }) => `"${id}"`),
    ...(whole.raise ?? []).map((r) => r.action),
  ]
  const shown = new Set(JSON.parse(locked).lines.map(({ label }: { label: string }) => label))
  held.push(...whole.breakdown.map(({ label }) => label).filter((label) => !shown.has(label)))
  expect(held.length).toBeGreaterThan(5)
  for (const text of held) expect(locked).not.toContain(text)
  expect(locked).not.toContain('价值水平')
})

/** The page that the QR code of a picture opens. */
const behind = async (picture: { file: Buffer }) => {
  const url = qrOf(picture)?.data ?? ''
  expect(url).toMatch(new RegExp(`^${ORIGIN}/v/GZ`))
  return (await server.app.inject({ url: url.slice(ORIGIN.length), headers: { accept: 'text/html' } })).body
}

test('its QR code can be read and opens the verification page, which shows no more than the picture', async () => {
  const { price } = await report()
  const range = estimateRange(price.lowFen, price.highFen)
  for (const [hide, told] of [
    ['', true],
    ['NICK,RANGE', false],
  ] as const) {
    const picture = await made(hide ? { hide } : {})
    const { topLeftCorner: left, topRightCorner: right } = qrOf(picture)?.location ?? {}
    expect((right?.x ?? 0) - (left?.x ?? 0)).toBeGreaterThanOrEqual(190)
    const page = await behind(picture)
    expect([page.includes('有效</h1>'), page.includes(estimate(price.predictFen)), page.includes(range)]).toEqual([
      true,
      true,
      told,
    ])
  }
})

test('for an altered picture with a genuine code the page shows the content of the real report', async () => {
  const told = await report()
  const url = qrOf(await made())?.data ?? ''
  const [predictFen, highFen] = [told.price.predictFen * 3, told.price.highFen * 3]
  const painted = { ...told, title: '永劫无间 · 全皮肤', price: { ...told.price, predictFen, highFen } }
  const { svg } = poster(pictureContent(painted, { nickname: '', hide: [], verifyUrl: url }))
  const page = await behind({ file: toPng(svg, { scale: 1 }) })
  expect(page).toContain('任何一项与下面不符即被篡改')
  for (const real of [
    told.title,
    estimate(told.price.predictFen),
    estimateRange(told.price.lowFen, told.price.highFen),
  ])
    expect(page).toContain(real)
  for (const lie of [painted.title, estimate(predictFen), estimate(highFen)]) expect(page).not.toContain(lie)
})

test('a nickname of markup, rare characters and an emoji is drawn, and is selectable text in the document', async () => {
  await rename(`戰${evil}囧🔥`)
  const { file } = await made()
  expect(qrOf({ file })?.data).toContain('/v/GZ')
  const { text, raw, fonts } = readPdf((await made({ format: 'PDF' })).file)
  expect(text).toContain('戰')
  expect(raw).not.toContain('/JavaScript')
  expect(fonts).toBeGreaterThanOrEqual(2)
  // the same nickname in an appraiser's text: unmasked
  const prices = { lowFen: 10_000, quickFen: 11_000, listFen: 13_000, highFen: 14_000 }
  const work = { ...prices, corrections: [], struck: [], checked: [] }
  const appraiser = { name: evil, no: 'A1', years: 1, comment: evil.repeat(3), work }
  const told = { ...(await report()), appraiser: { ...appraiser, priceFen: 12_300 }, others: [appraiser], title: evil }
  const { svg } = poster(pictureContent(told, { nickname: evil, hide: [], verifyUrl: ORIGIN }))
  expect(svg).not.toMatch(/script|<text/)
  await rename('峡谷来客')
})

test('the document can be searched, embeds its fonts and says that it is generated, inside as well', async () => {
  const whole = await report()
  const { file, headers, url } = await made({ format: 'PDF' })
  expect([headers['content-type'], url.endsWith('.pdf')]).toEqual(['application/pdf', true])
  const { text, raw, fonts } = readPdf(file)
  expect(text).not.toContain('\uFFFD')
  for (const part of [whole.reportNo, 'AI生成·模型计算', '八成同类账号成交在', '相近的成交', '合计', '峡**客'])
    expect(text).toContain(part)
  for (const { label } of whole.breakdown) expect(text.replace(/\n/g, '')).toContain(label.replaceAll(' · ', '·'))
  expect(fonts).toBeGreaterThanOrEqual(2)
  expect(raw).toContain('http://www.tc260.org.cn/ns/AIGC/1.0/')
  expect(raw).toContain('/AIGC ')
  expect(file.length).toBeLessThan(300_000)
  const { text: inside } = readPng((await made()).file)
  expect(inside).toContain('XML:com.adobe.xmp')
  expect(JSON.parse(/<TC260:AIGC>(.*)<\/TC260:AIGC>/.exec(inside)?.[1]?.replaceAll('&quot;', '"') ?? '')).toMatchObject(
    {
      Label: '1',
      ProduceID: `${whole.reportNo}-1`,
    },
  )
})

test('the document of a manual report contains everything that was delivered, and the AI report', async () => {
  const { confidence: _, comparables = [], raise = [], ...whole } = await report()
  const { price, breakdown, percentile = 0.5, model } = whole
  const [line] = breakdown
  const [excluded] = comparables
  if (!line || !excluded || !model) throw new Error('the open report has lines and comparables')
  const appraiser = { name: '小林', no: 'A7', years: 8, comment: '仓库齐全' }
  const work = {
    ...{ lowFen: 100_000, quickFen: 110_000, listFen: 130_000, highFen: 140_000 },
    corrections: [{ label: line.label, amountFen: line.amountFen, ownFen: 99_900, why: '近期买家多' }],
    struck: [{ id: excluded.id, reason: 'SERVER' as const }],
    checked: [],
  }
  const aiFen = price.predictFen - 54_321
  const basis = {
    pictures: 0,
    reconciliation: {
      aiFen,
      lines: [{ label: '荣耀典藏', amountFen: 60_000 }],
      restFen: -5_679,
      people: 1,
    },
  }
  const sure = { level: 'HIGH' as const, score: 90, reasons: [], doubts: [], sold: 9 }
  const ai = { price, confidence: sure, percentile, breakdown, comparables, raise, model }
  const told = { ...whole, mode: 'MANUAL' as const, breakdown: [], appraiser: { ...appraiser, work }, ai, ...basis }
  const file = await reportPdf(pictureContent(told, { nickname: '峡谷来客', hide: [], verifyUrl: `${ORIGIN}/v/1` }))
  const { text, raw } = readPdf(file)
  const flat = text.replace(/\n/g, '')
  for (const part of ['仓库齐全', '改过的明细', '近期买家多', '划掉的可比账号', '区服或登录方式不同'])
    expect(flat).toContain(part)
  const amounts = ['从 AI 到估价师', yuan(aiFen), '荣耀典藏', '+¥600.00', '其他', '−¥56.79', yuan(price.predictFen)]
  for (const part of [...amounts, '没有截图，无法核对'])
    expect(flat.replaceAll(' ', '')).toContain(part.replaceAll(' ', ''))
  for (const part of ['完整AI报告', '八成同类账号成交在', 'AI价格明细', 'AI可比账号', 'AI生成'])
    expect(flat.replaceAll(' ', '')).toContain(part)
  for (const { label } of breakdown) expect(flat).toContain(label.replaceAll(' · ', '·'))
  expect(raw).toContain('/AIGC ')
  // on every page, because pages may be printed and passed on separately
  const sheets = Number(/第 1 \/ (\d+) 页/.exec(flat)?.[1])
  expect(sheets).toBeGreaterThan(1)
  expect(flat.split('人工估价·含合成数据·报告编号').length - 1).toBe(sheets)
})

test('hidden parts are in neither picture nor document', async () => {
  const whole = await made()
  const less = await made({ hide: 'NICK,RANGE' })
  expect(less.height).toBeLessThan(whole.height)
  const { text } = readPdf((await made({ format: 'PDF', hide: 'NICK,RANGE' })).file)
  expect(text).not.toContain('峡**客')
  expect(text).not.toContain('价格区间')
  expect(text).not.toContain('快速出手价')
  expect((await ask({ hide: 'PRICE' })).status).toBe(400)
})

test('others cannot get it by order or changed address, nor anybody after expiry or withdrawal', async () => {
  const stranger = (await server.login('13800000002')).token
  expect((await ask({}, stranger)).status).toBe(404)
  const { url } = await made()
  const [, , encrypted = '', name] = url.split('/')
  const changed = `${encrypted.slice(0, -3)}${encrypted.endsWith('AAA') ? 'BBB' : 'AAA'}`
  expect((await fetchFile(`/pictures/${changed}/${name}`)).status).toBe(404)
  expect((await fetchFile(`/pictures/x/${name}`)).status).toBe(404)
  server.clock.advance(16 * 60_000)
  expect((await fetchFile(url)).status).toBe(404)
  const fresh = (await made()).url
  await server.database.db.updateTable('reports').set({ status: 'REVOKED' }).execute()
  expect((await ask()).status).toBe(404)
  expect((await fetchFile(fresh)).status).toBe(404)
  await server.database.db.updateTable('reports').set({ status: 'UNLOCKED' }).execute()
})

test('equal content gives the same file', async () => {
  const [first, second] = [await made(), await made()]
  expect(first.file.equals(second.file)).toBe(true)
})
