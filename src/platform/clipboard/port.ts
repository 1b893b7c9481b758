export interface Clipboard {
  /** Copies and shows whether it succeeded. */
  copy(text: string): Promise<boolean>
  /** The text on the clipboard, to be asked for by a tap; empty where the host or the user does not allow it. */
  read(): Promise<string>
}
