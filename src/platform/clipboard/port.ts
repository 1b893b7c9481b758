export interface Clipboard {
  /** Copies and shows whether it succeeded. */
  copy(text: string): Promise<boolean>
}
