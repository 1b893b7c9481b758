/** Sends a login or confirmation code to a phone. */
export interface SmsPort {
  /** @throws SmsRejected · any other error if the carrier cannot be reached */
  sendCode(message: { mobile: string; code: string; scene: number }): Promise<void>
}

/**
 * Why a carrier rejects a message: rate limit of this number, an unusable number, or an error in our account or setup.
 */
export type SmsRejection = 'LIMIT' | 'NUMBER' | 'OURS'

export class SmsRejected extends Error {
  override name = 'SmsRejected'
  constructor(
    readonly kind: SmsRejection,
    /** the carrier's error code */
    readonly reason: string,
  ) {
    super(`sms refused: ${reason}`)
  }
}
