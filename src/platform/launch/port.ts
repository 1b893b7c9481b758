/** Query the app was opened with, not decoded. */
export interface Launch {
  query(): Record<string, string>
  /** Takes a parameter out of the address, where there is one: it was for us and is to be passed on to nobody. */
  forget(name: string): void
}
