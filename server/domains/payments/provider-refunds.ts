import { DAY_MS } from '@/contract/time'
import { chinaDayStart } from '../../core/clock'
import type { Deps } from '../../core/context'
import { onRefund } from './payment-webhook'

/** days ago: a bill is made the next morning, and a refund to a bank card completes within days */
const NEWEST = 2
const OLDEST = 8

/**
 * Compares the last days' refunds of the providers that list them with ours, and applies those whose message never came:
 * refunds made at the console are only reported where its settings say so.
 */
export async function readProviderRefunds(deps: Deps, now: number): Promise<void> {
  const today = chinaDayStart(deps.clock.realNow())
  for (const name of deps.providers.pay.names) {
    try {
      const provider = await deps.providers.pay.get(name)
      for (let days = NEWEST; provider.refundsOn && days <= OLDEST; days += 1)
        for (const refund of await provider.refundsOn(today - days * DAY_MS)) await onRefund(deps, refund, name, now)
    } catch (err) {
      deps.log.error({ err, alarm: true, provider: name }, 'the refunds of a provider could not be read')
    }
  }
}
