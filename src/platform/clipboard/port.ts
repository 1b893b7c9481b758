export interface Clipboard {
  /** Copies and tells the user so, or that it failed. */
  copy(text: string): Promise<boolean>
}
