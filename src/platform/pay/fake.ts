import type { PayEnv } from '@/contract/labels'
import type { PayHint, Payments, PayOrder } from './port'

/** A host whose cashier ends as told; `started` is what it was given. */
export function fakePayments(env: PayEnv = 'BROWSER') {
  const started: PayOrder[] = []
  const next: { hint: PayHint } = { hint: 'done' }
  const payments: Payments = {
    env: () => env,
    async start(order) {
      started.push(order)
      return next.hint
    },
    returnUrl: (path) => `http://localhost${path}`,
  }
  return { payments, started, next }
}
