import type { Backtest } from '../../engine/backtest'
import { decidePromotion } from './promotion'

const of = (medianError: number, n = 200) => ({ n, medianError }) as Backtest
const changes = { isReplacedByReal: false, hasOtherForm: false, requested: false, withdrawn: false, growth: 0.05 }

test('chance does not refuse a model, a clear loss does', () => {
  const whyNot = (next: Backtest) => decidePromotion({ changes, comparison: undefined, last: of(0.1), next }).why
  expect(whyNot(of(0.12))).toBeUndefined()
  expect(whyNot(of(0.2))).toContain('20.0%')
  const withdrawn = { ...changes, withdrawn: true }
  expect(decidePromotion({ changes: withdrawn, comparison: undefined, last: of(0.1), next: of(0.2) }).why).toBeDefined()
})

test.each([
  ['of the one in use', undefined, of(0.2)],
  ['of the one in use, large enough', of(0.1, 49), of(0.2)],
  ['of its own', of(0.1), undefined],
  ['of its own, large enough', of(0.1), of(0.2, 49)],
])(
  'without a back-test %s, a model waits until a quarter more sales, another form, real ones, a person or a withdrawn price justify it',
  (_, last, next) => {
    const decide = (changed: Partial<typeof changes>) =>
      decidePromotion({ changes: { ...changes, ...changed }, comparison: undefined, last, next })
    expect(decide({})).toMatchObject({ why: expect.stringContaining('只多 5.0%'), figures: { rule: 'NONE' } })
    expect(decide({ growth: 0.249 }).why).toBeDefined()
    const enough = [{ growth: 0.25 }, { hasOtherForm: true }, { isReplacedByReal: true }]
    for (const changed of [...enough, { requested: true }, { withdrawn: true }])
      expect(decide(changed)).toMatchObject({ why: undefined, figures: { rule: 'NONE' } })
    // nothing is worse than no model
    expect(decidePromotion({ changes: undefined, comparison: undefined, last, next }).why).toBeUndefined()
  },
)
