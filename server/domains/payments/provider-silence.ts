/** Skips a payment provider that does not answer, so that its timeouts do not delay payments and refunds of others. */
import type { ProviderName } from '../../providers/pay/port'

/** Consecutive requests without an answer after which a provider is skipped for this run. */
const MAX_UNANSWERED = 2
/** ms by which its due rows are postponed, so that they do not come first in the next run */
export const PUT_OFF = 30_000

export type AskedProvider = ProviderName | 'none'

export interface Silence {
  has(provider: AskedProvider): boolean
  /** @returns true when this was the last request to it in this run: its due rows are to be postponed */
  note(provider: AskedProvider, answered: boolean): boolean
}

/** Tracks unresponsive providers during one run of a job. */
export function createSilence(): Silence {
  const unanswered = new Map<AskedProvider, number>()
  const has = (provider: AskedProvider) => (unanswered.get(provider) ?? 0) >= MAX_UNANSWERED
  return {
    has,
    note(provider, answered) {
      unanswered.set(provider, answered ? 0 : (unanswered.get(provider) ?? 0) + 1)
      return has(provider)
    },
  }
}
