/** One-time messages of the mini-program. Must be requested in a tap handler. */
export interface Subscribe {
  /** Whether any message type is configured on this platform. */
  available(): boolean
  /** True when at least one kind of message was allowed. */
  request(): Promise<boolean>
}
