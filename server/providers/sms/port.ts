/** Sends a login or confirmation code to a phone. */
export interface SmsPort {
  /**
   * @throws SmsRefused · anything else when the carrier could not be asked; the caller forgets the code then
   */
  sendCode(message: { mobile: string; code: string; scene: number }): Promise<void>
}

/** Why a carrier takes no message: too many to this number, a number that takes none, or something only we can mend. */
export type SmsRefusal = 'LIMIT' | 'NUMBER' | 'OURS'

export class SmsRefused extends Error {
  override name = 'SmsRefused'
  constructor(
    readonly kind: SmsRefusal,
    /** the carrier's own word */
    readonly reason: string,
  ) {
    super(`sms refused: ${reason}`)
  }
}

/** The first kind whose words begin like the carrier's. */
export const kindOf = (reason: string, words: Record<'LIMIT' | 'NUMBER', readonly string[]>): SmsRefusal =>
  (['LIMIT', 'NUMBER'] as const).find((kind) => words[kind].some((word) => reason.startsWith(word))) ?? 'OURS'
