/** A provider that does not answer keeps the payments and refunds of the others waiting for one limit after the other. */
import type { ProviderName } from '../../providers/pay/port'

/** Questions in a row without an answer after which a provider is not asked any more in this run. */
const MAX_UNANSWERED = 2
/** ms by which what is due at such a provider is put off: it must not stand before the others' in the next run */
export const PUT_OFF = 30_000

export type AskedProvider = ProviderName | 'none'

export interface Silence {
  has(provider: AskedProvider): boolean
  /** @returns true when this was the last question to it in this run: everything due there is to be put off */
  note(provider: AskedProvider, answered: boolean): boolean
}

/** Which providers do not answer, for one run of a job. */
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
