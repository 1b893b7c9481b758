export interface Clipboard {
  /** Copies and shows whether it succeeded. */
  copy(text: string): Promise<boolean>
  /** Reads the clipboard; call it in a tap handler. Empty if the host or the user does not allow it. */
  read(): Promise<string>
}
