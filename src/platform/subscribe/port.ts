/** One-time messages of the mini-program. Must be asked for inside a tap. */
export interface Subscribe {
  /** Whether there is anything to ask for here. */
  available(): boolean
  /** True when at least one kind of message was allowed. */
  ask(): Promise<boolean>
}
