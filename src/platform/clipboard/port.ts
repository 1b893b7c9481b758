export interface Clipboard {
  /** Copies and tells the user whether it succeeded. */
  copy(text: string): Promise<boolean>
}
