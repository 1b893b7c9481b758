/** Skips a payment provider that does not answer, so that its timeouts do not delay payments and refunds of others. */
import type { ProviderName } from '../../providers/pay/port'

/** Consecutive requests without a response after which a provider is skipped for this run. */
const MAX_UNANSWERED = 2
/** ms by which its due rows are postponed, so that they do not come first in the next run */
export const POSTPONE_MS = 30_000

export type QueriedProvider = ProviderName | 'none'

export interface UnresponsiveProviders {
  has(provider: QueriedProvider): boolean
  /** @returns true when this was the last request to it in this run: its due rows are to be postponed */
  note(provider: QueriedProvider, answered: boolean): boolean
}

/** Tracks unresponsive providers during one run of a job. */
export function createUnresponsiveProviders(): UnresponsiveProviders {
  const unanswered = new Map<QueriedProvider, number>()
  const has = (provider: QueriedProvider) => (unanswered.get(provider) ?? 0) >= MAX_UNANSWERED
  return {
    has,
    note(provider, answered) {
      unanswered.set(provider, answered ? 0 : (unanswered.get(provider) ?? 0) + 1)
      return has(provider)
    },
  }
}
