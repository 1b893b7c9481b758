import { DAY } from '../../engine/numbers'
import type { Model, Valued } from '../../engine/types'
import { valuate } from '../../engine/valuate'
import { game, SALES_UNTIL, salesOf, shippedModel } from '../../test/arbitrary'
import { whyChanged } from './why-changed'

const config = game('lolm')
const early = shippedModel(config, SALES_UNTIL - 120 * DAY)
const late = shippedModel(config, SALES_UNTIL)
const accounts = salesOf(config, 12, 5).map((sale) => sale.attributes)

const priced = (model: Model, answers: (typeof accounts)[number], now: number, without: string[] = []) => {
  const valued = valuate(model, config, answers, { now, source: 'TYPED', without })
  if (!valued.ok) throw new Error('not priced')
  return { ...valued, answers }
}

test('signed lines of market, model and facts add up to the difference to the fen', () => {
  const types = new Set<string>()
  for (const account of accounts) {
    const richer = { ...account, skinCount: Number(account.skinCount) + 25, realName: 're_auth_denied' }
    const states = [
      priced(early, account, SALES_UNTIL - 120 * DAY),
      priced(late, account, SALES_UNTIL),
      priced(late, richer, SALES_UNTIL),
      priced(late, richer, SALES_UNTIL + 60 * DAY),
    ]
    for (const before of states)
      for (const after of states) {
        const lines = whyChanged(before, after)
        expect(lines.reduce((total, line) => total + line.amountFen, 0)).toBe(
          after.price.predictFen - before.price.predictFen,
        )
        for (const { type } of lines) types.add(type)
      }
  }
  expect([...types].sort()).toEqual(['FACTS', 'MARKET', 'MODEL'])
})

test('a change by the owner is named with before and after', () => {
  const account = { ...accounts[0], skinCount: 40 }
  const lines = whyChanged(priced(late, account, SALES_UNTIL), priced(late, { ...account, skinCount: 90 }, SALES_UNTIL))
  expect(lines[0]).toMatchObject({ type: 'FACTS', label: '皮肤数 ×40 → ×90' })
  expect(lines.every(({ type }) => type === 'FACTS')).toBe(true)
})

test('a rejected comparable is neither shown nor used, and others take its place', () => {
  const account = accounts[1] ?? {}
  const all = priced(late, account, SALES_UNTIL)
  const ids = all.comparables.slice(0, 3).map(({ id }) => id)
  const rest: Valued & { answers: typeof account } = priced(late, account, SALES_UNTIL, ids)
  expect(rest.comparables.some(({ id }) => ids.includes(id))).toBe(false)
  expect(rest.comparables.length).toBeGreaterThanOrEqual(3)
  expect(rest.breakdown.reduce((total, line) => total + line.amountFen, 0)).toBe(rest.price.predictFen)
  expect(priced(late, account, SALES_UNTIL)).toEqual(all)
  const none = valuate(late, config, account, {
    now: SALES_UNTIL,
    source: 'TYPED',
    without: late.sales.map(({ id }) => id),
  })
  expect(none).toEqual({ ok: false, code: 'SAMPLE_INSUFFICIENT', n: 0 })
})

test('rejecting a more expensive comparable lowers the price, rejecting a cheaper one raises it', () => {
  const moves = accounts.flatMap((account) => {
    const { price, comparables } = priced(late, account, SALES_UNTIL)
    return comparables.map(({ id, adjFen }) => ({
      said: Math.log(adjFen / price.predictFen),
      moved: Math.log(priced(late, account, SALES_UNTIL, [id]).price.predictFen / price.predictFen),
    }))
  })
  const clear = moves.filter(({ said }) => Math.abs(said) > 0.05)
  expect(clear.length).toBeGreaterThan(30)
  // one whose weight is small may leave the rounded price as it is
  expect(clear.filter(({ moved }) => moved === 0).length).toBeLessThan(clear.length / 5)
  for (const { said, moved } of clear) {
    expect(moved * said).toBeLessThanOrEqual(0)
    // one of many sales never moves the price by its whole difference
    expect(Math.abs(moved)).toBeLessThan(Math.abs(said) / 2)
  }
})
