import type { Answers, FormConfig } from '@/contract/form/types'
import { validateAnswers } from '@/contract/form/validate'
import { generateWithTruth } from '../../fixtures/synthetic/generate'
import type { CollectorPort } from './port'

/** Accounts the sandbox can return: the most expensive of fifty, the median one, the cheapest. */
export const sandboxAccounts = ['rich', 'normal', 'new'] as const
export type SandboxAccount = (typeof sandboxAccounts)[number]

const place: Record<SandboxAccount, number> = { rich: 0.98, normal: 0.5, new: 0.02 }
const MANY = 50

/** The result of reading such an account: invented but plausible answers to the fields that a collection may fill. */
export function sandboxAccount(config: FormConfig, kind: SandboxAccount): Answers {
  const fills = config.fields.filter((f) => f.autoFill)
  const complete = [...generateWithTruth(config, { until: Date.now(), n: MANY })]
    .filter(
      ({ wrong, sale }) =>
        !wrong && validateAnswers(config, sale.attributes, 'MANUAL').every((i) => i.level !== 'error'),
    )
    .sort((a, b) => a.trueFen - b.trueFen)
  const chosen = complete[Math.floor(complete.length * place[kind])]?.sale.attributes ?? {}
  return Object.fromEntries(fills.flatMap(({ key }) => (chosen[key] === undefined ? [] : [[key, chosen[key]]])))
}

/** Page on which a tester plays the game's part. */
export const SANDBOX_PAGE = '/sandbox/collector'

const pageOf = (origin: string, taskId: string) => `${origin}${SANDBOX_PAGE}?taskId=${taskId}`

/** A collector without a game: a collection waits until a tester chooses its result on the sandbox page. */
export const sandboxCollector: CollectorPort = {
  async begin({ taskId, loginType, origin }) {
    const webviewUrl = pageOf(origin, taskId)
    return { ref: taskId, webviewUrl, ...(loginType !== 'PUBLIC_ID' && { qr: webviewUrl }) }
  },
  // each QR code must be different, like real ones
  newQr: async ({ taskId, origin }) => `${pageOf(origin, taskId)}&n=${Date.now().toString(36)}`,
  deleteCollection: async () => undefined,
}
