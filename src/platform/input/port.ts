export interface InputBehaviour {
  /** An input keeps showing rejected text, because its controlled value has not changed. */
  readonly keepsRefusedText: boolean
  /** An input of a number's type drops every key that is no half-width digit, also where the browser shows all keys. */
  readonly dropsKeysByType: boolean
}
