export interface InputBehaviour {
  /** An input keeps showing rejected text, because its controlled value has not changed. */
  readonly keepsRefusedText: boolean
}
