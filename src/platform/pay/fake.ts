import type { PayEnv } from '@/contract/labels'
import type { PayHint, Payments, PayOrder } from './port'

/** A host whose cashier ends as configured; `started` records its arguments. */
export function fakePayments(env: PayEnv = 'BROWSER') {
  const started: (PayOrder & { iosPayParams?: Record<string, string> })[] = []
  const next: { hint: PayHint } = { hint: 'done' }
  const payments: Payments = {
    env: () => env,
    async start(order, iosPayParams) {
      started.push({ ...order, ...(iosPayParams && { iosPayParams }) })
      return next.hint
    },
    returnUrl: (path) => `http://localhost${path}`,
    leaveBehind: () => false,
  }
  return { payments, started, next }
}
