/** Query the app was opened with, not decoded. */
export interface Launch {
  query(): Record<string, string>
}
