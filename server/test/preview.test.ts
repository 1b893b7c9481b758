import { optionsOf } from '@/contract/form/answers'
import type { FormConfig } from '@/contract/form/types'
import { affectsPrice, isRequired, pricedProgress } from '@/contract/form/validate'
import type { Req } from '@/contract/types'
import { roundToTwoFigures } from '../domains/valuations/preview'
import type { Valuation } from '../engine/types'
import { priceRange, valuate } from '../engine/valuate'
import { setupServer, someAnswers } from './harness'
import { configOf } from './orders'
import { leastProcessorTime } from './processor'

const DAY = 86_400_000
let config: FormConfig
const server = setupServer({ games: ['naraka', 'ys', 'delta'], env: { TRUST_PROXY: '1' } })
beforeAll(async () => {
  config = await configOf(server, 'naraka')
})
// limits count per day
beforeEach(() => server.clock.advance(2 * DAY))

let numbers = 0
const newUser = () => {
  numbers += 1
  return server.login(`1390001${String(numbers).padStart(4, '0')}`)
}
type PreviewRequest = Req<'pricePreview', 'preview'>
const request = (answers: PreviewRequest['answers'] = someAnswers(config)): PreviewRequest => ({
  gameId: config.gameId,
  schemaVersion: config.schemaVersion,
  answers,
})
const preview = (token: string, req: PreviewRequest = request()) =>
  server.call('pricePreview', 'preview', req, { token })
const submit = (token: string, skip: number) => {
  const answers = someAnswers(config, skip)
  return server.call('evaluation', 'submitAi', { ...request(answers), source: 'TYPED' }, { token })
}

test.each([
  [0, 0],
  [99, 99],
  [100, 100],
  [14_499, 14_000],
  [14_500, 15_000],
  [99_600, 100_000],
  [191_331_00, 190_000_00],
])('%i fen are shown as %i', (fen, shown) => expect(roundToTwoFigures(fen)).toBe(shown))

test('the range of a finished form is that of its report, rounded to two figures; nothing else is returned', async () => {
  const { token } = await newUser()
  const { status, body } = await preview(token)
  expect(status).toBe(200)
  const { orderId } = (await submit(token, 0)).body.data
  const { price } = (await server.call('evaluation', 'reportGet', { orderId }, { token })).body.data
  const { total, unanswered } = pricedProgress(config, someAnswers(config))
  expect(body.data).toEqual({
    lowFen: roundToTwoFigures(price.lowFen),
    highFen: roundToTwoFigures(price.highFen),
    answered: total - unanswered,
    asked: total,
  })
})

test('an unfinished form is never refused; every subset of its answers has a range', async () => {
  const { token } = await newUser()
  const whole = Object.entries(someAnswers(config, 1))
  for (let n = 0; n <= Math.min(whole.length, 20); n += 1) {
    const { status, body } = await preview(token, request(Object.fromEntries(whole.slice(0, n))))
    expect([n, status, body.code]).toEqual([n, 200, 'OK'])
    expect(body.data.lowFen).toBeGreaterThan(0)
    expect(body.data.highFen).toBeGreaterThanOrEqual(body.data.lowFen)
    expect(body.data.answered).toBeLessThanOrEqual(n)
  }
})

test('answers narrow the range: a filled form has a narrower one than an empty form', async () => {
  const { token } = await newUser()
  const width = ({ lowFen, highFen }: { lowFen: number; highFen: number }) => Math.log(highFen / lowFen)
  const empty = width((await preview(token, request({}))).body.data)
  for (const skip of [0, 1, 2]) {
    const filled = width((await preview(token, request(someAnswers(config, skip)))).body.data)
    expect(filled).toBeLessThan(empty)
  }
})

test.each(['naraka', 'ys', 'delta'])(
  'of %s, the range mostly narrows with each answer to that of the report',
  async (gameId) => {
    const form = await configOf(server, gameId)
    const active = await server.lifecycle.deps?.repositories.models.active(form)
    if (!active) throw new Error('no model')
    const { model } = active
    const opts = { now: server.clock.now(), source: 'TYPED' as const }
    const keysOf = (isWanted: boolean) =>
      form.fields.filter((field) => affectsPrice(field) && isRequired(field, 'AI') === isWanted).map(({ key }) => key)
    const [required, optional] = [keysOf(true), keysOf(false)]
    const sales = await server.database.db
      .selectFrom('sales')
      .select('attributes')
      .where('game_id', '=', gameId)
      .where('kind', '=', 'SOLD')
      .orderBy('id')
      .limit(60)
      .execute()
    const counts = { steps: 0, narrowing: 0, reports: 0, holdsReport: 0, complete: 0, holdsComplete: 0 }
    for (const { attributes: whole } of sales) {
      if (required.some((key) => whole[key] === undefined)) continue
      const least = Object.fromEntries(Object.entries(whole).filter(([key]) => !optional.includes(key)))
      const [report, complete] = [valuate(model, form, least, opts), valuate(model, form, whole, opts)]
      const ranges = required.map((_, n) => {
        const later = required.slice(n)
        const part = Object.fromEntries(Object.entries(least).filter(([key]) => !later.includes(key)))
        const { lowFen, highFen } = priceRange(model, form, part, opts) ?? { lowFen: 0, highFen: 0 }
        return {
          width: Math.log(highFen / lowFen),
          holds: (found: Valuation) =>
            found.ok && lowFen <= found.price.predictFen && found.price.predictFen <= highFen,
        }
      })
      counts.steps += ranges.length - 1
      counts.narrowing += ranges.filter(({ width }, n) => n > 0 && width <= (ranges[n - 1]?.width ?? 0)).length
      counts.reports += report.ok ? ranges.length : 0
      counts.holdsReport += ranges.filter(({ holds }) => holds(report)).length
      counts.complete += complete.ok ? ranges.length : 0
      counts.holdsComplete += ranges.filter(({ holds }) => holds(complete)).length
    }
    expect(counts.steps).toBeGreaterThan(100)
    expect(counts.narrowing / counts.steps).toBeGreaterThan(0.85)
    expect(counts.holdsReport / counts.reports).toBeGreaterThan(0.8)
    expect(counts.holdsComplete / counts.complete).toBeGreaterThan(0.7)
  },
)

test('impossible answers are refused as on submission; empty and half-chosen answers count as missing', async () => {
  const { token } = await newUser()
  const number = config.fields.find((f) => f.type === 'int' && f.rules.max !== undefined)
  const choice = config.fields.find((f) => f.type === 'select' && f.options)
  if (!number || !choice) throw new Error('the game has neither')
  for (const answers of [{ [number.key]: (number.rules.max ?? 0) + 1 }, { [choice.key]: 'no such' }, { nothing: 1 }]) {
    const live = await preview(token, request(answers))
    const sent = await server.call('evaluation', 'submitAi', { ...request(answers), source: 'TYPED' }, { token })
    expect([live.status, live.body.code]).toEqual([400, 'VALIDATION_FAILED'])
    const fields = (data: unknown) => (data as { fields: { path: string; msg: string }[] }).fields
    expect(fields(sent.body.data)).toEqual(expect.arrayContaining(fields(live.body.data)))
  }
  expect((await preview(token, request({ [choice.key]: '' }))).body.data.answered).toBe(0)
  const old = await preview(token, { ...request(), schemaVersion: config.schemaVersion + 1 })
  expect(old.body.code).toBe('FORM_CHANGED')
  expect((await preview(token, { ...request(), gameId: 'nothing' })).status).toBe(404)
})

test.each([
  ['ys', 'roster', { dup: 0 }],
  ['delta', 'tagsGrade', { g: 0 }],
])('of %s, an unfinished row of a %s and half-typed digits count as missing', async (gameId, type, part) => {
  const { token } = await newUser()
  const form = await configOf(server, gameId)
  const field = form.fields.find((f) => f.type === type)
  const [{ v } = { v: '' }] = field ? optionsOf(form, field) : []
  const lookup = form.fields.find((f) => f.rules.pattern?.startsWith('^\\d'))
  const send = (answers: PreviewRequest['answers']) =>
    preview(token, { gameId, schemaVersion: form.schemaVersion, answers })
  const rows = (...all: object[]) => ({ [field?.key ?? '']: all }) as PreviewRequest['answers']
  const empty = (await send({})).body.data
  for (const answers of [rows({ v }), rows({ v, [Object.keys(part)[0] ?? '']: '' }), rows({})])
    expect((await send(answers)).body.data).toEqual(empty)
  if (lookup) expect((await send({ [lookup.key]: '12' })).body.data).toEqual(empty)
  for (const answers of [
    rows({ v: 'no such' }),
    rows({ v, ...part, no: 1 }),
    ...(lookup ? [{ [lookup.key]: '1x' }] : []),
  ])
    expect((await send(answers)).status).toBe(400)
})

test('nothing is stored', async () => {
  const { token } = await newUser()
  const { db } = server.database
  const count = async () =>
    Promise.all(
      (['orders', 'reports'] as const).map(async (table) => {
        const row = await db
          .selectFrom(table)
          .select((e) => e.fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
        return Number(row.n)
      }),
    )
  const before = await count()
  await preview(token)
  expect(await count()).toEqual(before)
})

test('a user has thirty a minute over all connections', async () => {
  const [me, other] = [await newUser(), await newUser()]
  const all = await Promise.all(Array.from({ length: 33 }, () => preview(me.token)))
  expect(all.filter(({ body }) => body.code === 'REQUEST_TOO_BUSY_PLEASE_WAIT')).toHaveLength(3)
  expect(all.filter(({ status }) => status === 406)).toHaveLength(3)
  expect((await preview(other.token)).status).toBe(200)
  server.clock.advance(60_000)
  expect((await preview(me.token)).status).toBe(200)
})

test('a user has two hundred a day, then the answer is that of used-up free valuations; valuations remain possible', async () => {
  const [me, other] = [await newUser(), await newUser()]
  for (let n = 0; n < 200; n += 25) {
    const codes = await Promise.all(Array.from({ length: 25 }, async () => (await preview(me.token)).body.code))
    expect(codes).toEqual(Array(25).fill('OK'))
    server.clock.advance(60_000)
  }
  const { status, body } = await preview(me.token)
  expect([status, body.code]).toEqual([200, 'FREE_QUOTA_USED'])
  expect((await preview(other.token)).status).toBe(200)
  expect((await submit(me.token, 0)).body.code).toBe('OK')
  server.clock.advance(DAY)
  expect((await preview(me.token)).body.code).toBe('OK')
})

test('visitors have twenty a minute and address, whatever a user of the address needs', async () => {
  const visit = (ip: string) =>
    server.call('pricePreview', 'preview', request(), { headers: { 'x-forwarded-for': ip } })
  const { token } = await newUser()
  const mine = (await preview(token)).body.data
  const all = await Promise.all(Array.from({ length: 22 }, () => visit('10.1.1.1')))
  expect(all.filter(({ status }) => status === 406)).toHaveLength(2)
  expect(all.find(({ status }) => status === 200)?.body.data).toEqual(mine)
  expect((await visit('10.1.1.2')).status).toBe(200)
  expect((await preview(token)).status).toBe(200)
})

test('the first question of the quick estimate narrows the range, and all of them do', async () => {
  for (const gameId of ['naraka', 'ys', 'delta']) {
    const { quick } = (await server.call('evaluation', 'gameDetail', { gameId })).body.data
    const questions = quick?.questions ?? []
    expect(questions.length).toBeGreaterThanOrEqual(3)
    expect(questions.length).toBeLessThanOrEqual(5)
    const width = async (n: number) => {
      const answers = Object.fromEntries(
        questions.slice(0, n).map(({ key, options }) => [key, options[Math.floor(options.length / 2)]?.answer ?? 0]),
      )
      const req = { gameId, schemaVersion: quick?.schemaVersion ?? 0, answers }
      const { lowFen, highFen } = (
        await server.call('pricePreview', 'preview', req, {
          headers: { 'x-forwarded-for': `10.2.1.${n}` },
        })
      ).body.data
      return Math.log(highFen / lowFen)
    }
    const widths = [await width(0), await width(1), await width(questions.length)]
    expect(widths[1]).toBeLessThan(widths[0] ?? 0)
    expect(widths[2]).toBeLessThan(widths[0] ?? 0)
  }
})

test('there is no preview after the day’s free valuations', async () => {
  const { token } = await newUser()
  let skip = 0
  while ((await submit(token, skip)).body.code === 'OK') skip += 1
  expect(skip).toBeGreaterThan(0)
  expect((await preview(token)).body.code).toBe('FREE_QUOTA_USED')
  server.clock.advance(DAY)
  expect((await preview(token)).status).toBe(200)
})

test('it costs at most 20 ms of processor time', async () => {
  const { token } = await newUser()
  const answers = someAnswers(config, 2)
  const cost = async () => expect((await preview(token, request(answers))).status).toBe(200)
  const least = await leastProcessorTime(20, cost, { most: 25 })
  expect(least).toBeLessThan(20)
})
