export interface InputBehaviour {
  /** A box goes on showing a typed text that the app did not take over, because the value it was given has not changed. */
  readonly keepsRefusedText: boolean
}
