import type { Backtest } from '../../engine/backtest'
import { decidePromotion } from './promotion'

test('chance does not refuse a model, a clear loss does', () => {
  const of = (medianError: number, n = 200) => ({ n, medianError }) as Backtest
  const whyNot = (next: Backtest) => decidePromotion({ comparison: undefined, last: of(0.1), next }).why
  expect(whyNot(of(0.12))).toBeUndefined()
  expect(whyNot(of(0.2, 30))).toBeUndefined()
  expect(whyNot(of(0.2))).toContain('20.0%')
})
