import type { Answers, FormConfig } from '@/contract/form/types'
import { isKnown, isPriced } from '../../engine/encode'
import { canonicalAnswers } from '../games/answers'
import { sha256 } from '../shared/secrets'

/** Fewer known answers cannot distinguish accounts. */
const MIN_ANSWERS = 4

/**
 * Hash of an account's priced answers: the same for the same account in two sources, whatever the order of its lists.
 * @returns undefined when too few answers are known to identify an account
 */
export function accountFingerprint(config: FormConfig, answers: Answers): string | undefined {
  const priced = config.fields.filter((field) => isPriced(field) && isKnown(answers[field.key]))
  if (priced.length < MIN_ANSWERS) return undefined
  const kept = Object.fromEntries(priced.map(({ key }) => [key, answers[key]]))
  return sha256(`${config.gameId}\n${JSON.stringify(canonicalAnswers(config, kept))}`).slice(0, 24)
}
