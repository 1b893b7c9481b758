/** Which human service the checkout advises for an account of a value. */

/** NONE: the free report is usually enough; BY_NEED: the lowest, unless something of the others is needed. */
export const serviceAdvice = ['NONE', 'STD', 'BY_NEED', 'PRO'] as const
export type ServiceAdvice = (typeof serviceAdvice)[number]

/** fen: below it none of the services is worth its price */
const MANUAL_FROM_FEN = 10_000
/** fen: below it the services above the lowest are not */
const UPPER_FROM_FEN = 30_000
/** fen: from it on two appraisers are advised */
const EXPERT_FROM_FEN = 500_000

/** @param fen value of the account by the model */
export function serviceAdviceFor(fen: number): ServiceAdvice {
  if (fen < MANUAL_FROM_FEN) return 'NONE'
  if (fen < UPPER_FROM_FEN) return 'STD'
  return fen < EXPERT_FROM_FEN ? 'BY_NEED' : 'PRO'
}
