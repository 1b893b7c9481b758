import type { Answers, Field, FormConfig } from '@/contract/form/types'
import { extremeAccount, game, modelOf, SALES_UNTIL, salesOf } from '../test/arbitrary'
import { DAY } from './numbers'
import { train } from './train'
import type { Model, Sale, Valued } from './types'
import { valuate } from './valuate'

const typed = { now: SALES_UNTIL, source: 'TYPED' } as const

describe('refusals and warnings of the engine', () => {
  const config = game('lolm')
  const [account = {}] = salesOf(config, 1).map((sale) => sale.attributes)

  test('fewer than five comparables give no price', () => {
    const few = train(config, salesOf(config, 4), { now: SALES_UNTIL })
    expect(valuate(few, config, account, typed)).toMatchObject({ ok: false, code: 'SAMPLE_INSUFFICIENT' })
    expect(() => train(config, [], { now: SALES_UNTIL })).toThrow('no sales')
  })

  const rich: Answers = {
    ...account,
    skinCount: 800,
    heroCount: 200,
    topSkinCount: 200,
    rareSkins: (config.dicts.lolm_skin ?? []).slice(0, 40).map((option) => option.v),
  }

  test('an account with few similar sales is priced with LOW confidence, with the reason, and never above the market', () => {
    const sales = salesOf(config, 1000)
    const priced = valuate(modelOf(config), config, rich, { now: SALES_UNTIL, source: 'AUTH' })
    if (!priced.ok) throw new Error('there are sales within reach')
    expect(priced.confidence.level).toBe('LOW')
    expect(priced.confidence.reasons.join()).toContain('很少有相近的账号')
    expect(priced.price.predictFen).toBeLessThanOrEqual(Math.max(...sales.map((sale) => sale.priceFen)))
  })

  test('the reason for an account below all sales names the lower end, not the upper one', () => {
    const hok = game('hok')
    const account = { ...salesOf(hok, 1)[0]?.attributes, ...extremeAccount(hok, 'least') }
    const below = valuate(modelOf(hok), hok, account, typed)
    if (!below.ok) return
    expect(below.confidence.reasons[0]).toMatch(/^资料低于/)
    expect(below.breakdown.at(-1)?.why).toMatch(/^资料低于已有成交/)
  })

  test('an account far beyond all sales gives no price either', () => {
    const cheap = salesOf(config, 1000).filter((sale) => sale.priceFen < 8_000)
    expect(cheap.length).toBeGreaterThan(20)
    expect(valuate(train(config, cheap, { now: SALES_UNTIL }), config, rich, typed).ok).toBe(false)
  })

  test.each<[string, (account: Answers) => Answers, string]>([
    ['numbers beyond the form', (account) => ({ ...account, skinCount: 1e308 }), '不在可选范围内'],
    ['no number', (account) => ({ ...account, skinCount: Number.NaN }), '不在可选范围内'],
  ])('%s: LOW confidence with the reason, and no silly number', (_name, change, reason) => {
    const valued = valuate(modelOf(config), config, change(account), { now: SALES_UNTIL, source: 'AUTH' })
    // a refusal is a valid result
    if (!valued.ok) return
    expect(valued.confidence.level).toBe('LOW')
    expect(valued.confidence.reasons.join()).toContain(reason)
    const prices = modelOf(config).sales.map((sale) => sale.priceFen)
    expect(valued.price.predictFen).toBeLessThanOrEqual(Math.max(...prices))
    expect(valued.price.predictFen).toBeGreaterThanOrEqual(Math.min(...prices) / 2)
    expect(valued.breakdown.reduce((total, line) => total + line.amountFen, 0)).toBe(valued.price.predictFen)
  })

  test('hostile configs and sales are either refused or lead to valid prices', () => {
    const many = Array.from({ length: 60_000 }, (_, i) => ({ v: `o${i}`, t: `o${i}` }))
    const odd: FormConfig = {
      ...config,
      gameId: 'odd',
      modes: [],
      fields: ['constructor', '__proto__', 'toString'].map((key, i) => ({
        ...(config.fields.find((field) => field.key === 'skinCount') as Field),
        key,
        ...(i === 2 && { type: 'tags' as const, rules: {}, options: many }),
      })),
    }
    const sales = Array.from(
      { length: 100 },
      (_, i): Sale => ({
        id: `${i}`,
        gameId: 'odd',
        kind: 'SOLD',
        priceFen: i % 9 === 0 ? Number.MAX_SAFE_INTEGER : 1_000 + i,
        at: SALES_UNTIL - i * DAY,
        attributes: JSON.parse(
          `{"constructor": ${i % 7 === 0 ? 1e308 : i}, "__proto__": ${i}, "toString": ["o${i % 50}"]}`,
        ),
      }),
    )
    const model = train(odd, sales, { now: SALES_UNTIL })
    expect(JSON.stringify(model)).not.toMatch(/null|NaN/)
    const valued = valuate(model, odd, {}, typed)
    if (valued.ok) expect(Number.isSafeInteger(valued.price.predictFen)).toBe(true)
  })

  test('stale sales and few answers lower the confidence, which does not move the price or its range', () => {
    const model = modelOf(config)
    const bareOf = (answers: Answers): Answers => ({
      ...answers,
      rank: undefined,
      realName: undefined,
      antiAddiction: undefined,
    })
    const late = { now: SALES_UNTIL + 200 * DAY, source: 'TYPED' } as const
    // depends on the comparables left as well: with many, old sales alone do not make it LOW
    const levelsOf = (answers: Answers) =>
      [
        valuate(model, config, answers, { now: SALES_UNTIL, source: 'AUTH' }),
        valuate(model, config, bareOf(answers), { now: SALES_UNTIL, source: 'AUTH' }),
        valuate(model, config, bareOf(answers), late),
      ].map((valued) => (valued.ok ? valued.confidence.level : 'none'))
    const falls = ({ attributes }: Sale) =>
      attributes.rareSkins !== undefined && levelsOf(attributes).join() === 'HIGH,MEDIUM,LOW'
    const complete = salesOf(config, 200).find(falls)?.attributes ?? {}
    const bare = bareOf(complete)
    const whole = valuate(model, config, complete, { now: SALES_UNTIL, source: 'AUTH' })
    const fresh = valuate(model, config, bare, { now: SALES_UNTIL, source: 'AUTH' })
    const stale = valuate(model, config, bare, late)
    if (!whole.ok || !fresh.ok || !stale.ok) throw new Error('all are priced')
    // with many missing answers the confidence is never HIGH, however many comparables there are
    const levels = [whole, fresh, stale].map(({ confidence }) => confidence.level)
    expect(levels).toEqual(['HIGH', 'MEDIUM', 'LOW'])
    expect(stale.confidence.reasons.join()).toContain('按长期走势推算')
    const below = ({ price }: Valued) => Math.log(price.predictFen / price.lowFen)
    expect(below(stale) / below(fresh)).toBeLessThan(1.4)
  })

  test('an unknown binding is worth no more than the worst one, and finding it out is suggested as free advice', () => {
    const model = modelOf(config)
    const worth = (realName: string) => valuate(model, config, { ...account, realName }, typed) as Valued
    const [denied, unknown, allowed] = ['re_auth_denied', 'unknown', 're_auth_allowed'].map(worth)
    expect(unknown?.price.predictFen).toBeLessThanOrEqual(denied?.price.predictFen ?? 0)
    const gain = (allowed?.price.predictFen ?? 0) - (denied?.price.predictFen ?? 0)
    expect(denied?.raise).toContainEqual({ action: '开通二次实名', about: '实名情况', gainFen: gain, cost: 'FREE' })
    expect(denied?.risk.facts).toContain('实名情况：不可二次实名')
    expect(allowed?.raise.map(({ action }) => action).join()).not.toContain('实名')
  })

  test('what the owner cannot change is never advised, wherever the form asks for it', () => {
    const ys = game('ys')
    const model = modelOf(ys)
    // 渠道服 and 国际服 sell for less; here the server stands among the bindings
    const moved: FormConfig = {
      ...ys,
      fields: ys.fields.map((field) => (field.key === 'server' ? { ...field, group: 'risk' } : field)),
    }
    const accounts = salesOf(ys, 60).map(({ attributes }) => attributes)
    const actions = accounts.flatMap((answers) => {
      const valued = valuate(model, moved, answers, typed)
      return valued.ok ? valued.raise.map(({ action }) => action) : []
    })
    expect(actions).toContain('解绑邮箱')
    expect(actions.filter((action) => action.includes('服'))).toEqual([])
  })

  test('the part of a number above all sales adds nothing, which the report states', () => {
    const model = modelOf(config)
    const worth = (skinCount: number) => valuate(model, config, { ...account, skinCount }, typed) as Valued
    const code = model.hedonic.fields.find(({ key }) => key === 'skinCount')
    const cap = code?.kind === 'number' ? Math.floor(code.cap) : 0
    const [most, beyond] = [worth(cap), worth(cap + 400)]
    expect(beyond.price.predictFen).toBeGreaterThanOrEqual(most.price.predictFen)
    expect(most.confidence.reasons.join()).not.toContain('超出成交过的范围')
    expect(beyond.confidence.reasons.join()).toContain(`${cap + 400}款超出成交过的范围，只按 ${cap}款计价`)
    expect(beyond.confidence.level).toBe('LOW')
  })

  test('risk facts are shown, not priced', () => {
    const worth = (banStatus: string) => valuate(modelOf(config), config, { ...account, banStatus }, typed) as Valued
    expect(worth('temp').price).toEqual(worth('none').price)
    expect(worth('temp').risk.facts).toContain('封禁/处罚：限时封禁')
    expect(worth('perm').risk.level).toBe('HIGH')
  })
})

test('an unknown game with every type of field is priced by its config and sales alone', () => {
  const base = game('delta')
  const config: FormConfig = {
    ...base,
    gameId: 'unheardOf',
    fields: [
      ...base.fields,
      {
        key: 'founder',
        label: '首测资格',
        group: 'asset',
        type: 'bool',
        role: 'value*',
        required: false,
        rules: {},
        sort: 900,
      },
      {
        key: 'pets',
        label: '宠物',
        group: 'asset',
        type: 'multi',
        role: 'value',
        required: false,
        rules: {},
        sort: 910,
      },
    ].map((field) =>
      field.key === 'pets' ? { ...field, options: ['cat', 'dog', 'fox'].map((v) => ({ v, t: v })) } : field,
    ) as Field[],
  }
  const sales = salesOf(config, 100)
  const model = train(config, sales, { now: SALES_UNTIL })
  const account = { ...sales[0]?.attributes, founder: false, pets: ['cat'] }
  const worth = (change: Answers) => valuate(model, config, { ...account, ...change }, typed) as Valued
  const [none, founder, pets] = [
    worth({}),
    worth({ founder: true }),
    worth({ founder: true, pets: ['cat', 'dog', 'fox'] }),
  ]
  expect(founder.price.predictFen).toBeGreaterThan(none.price.predictFen)
  expect(pets.price.predictFen).toBeGreaterThanOrEqual(founder.price.predictFen)
  expect(pets.breakdown.map(({ label }) => label)).toEqual(expect.arrayContaining(['首测资格 是', '宠物 ×3']))
})

describe('training', () => {
  const config = game('naraka')
  const sales = salesOf(config, 120)
  const model = train(config, sales, { now: SALES_UNTIL })

  test('the same sales give the same model, whatever their order', () => {
    const stored = JSON.stringify(model)
    expect(JSON.stringify(train(config, [...sales].reverse(), { now: SALES_UNTIL }))).toBe(stored)
    const restored = JSON.parse(stored) as Model
    const [account = {}] = salesOf(config, 1, 5).map((sale) => sale.attributes)
    expect(valuate(restored, config, account, typed)).toEqual(valuate(model, config, account, typed))
  })

  test('inconsistent sales give LOW confidence with the reason, and no range down to zero', () => {
    const config = game('val')
    const sales = salesOf(config, 100).map((sale, i) => ({ ...sale, priceFen: Math.round(10 ** ((i * 7) % 10)) }))
    const valued = valuate(train(config, sales, { now: SALES_UNTIL }), config, sales[5]?.attributes ?? {}, typed)
    if (!valued.ok) throw new Error('not priced')
    expect(valued.confidence.level).toBe('LOW')
    expect(valued.confidence.reasons[0]).toContain('相差数倍')
    expect(valued.price.lowFen).toBeGreaterThanOrEqual(100)
  })

  test('asking prices are reduced to sale prices by a factor learned from the data', () => {
    expect(Math.exp(-model.hedonic.ask)).toBeCloseTo(0.83, 1)
  })
})
