/** Sends a login or confirmation code to a phone. */
export interface SmsPort {
  /** @throws when the message could not be handed to the carrier; the caller forgets the code then */
  sendCode(message: { mobile: string; code: string; scene: number }): Promise<void>
}
