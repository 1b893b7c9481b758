/**
 * The address of a page of the app, as messages and buttons carry it.
 * @param path from `@/contract/pages`, without a leading slash
 */
export function pageLink(path: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params).toString()
  return `/${path}${query && `?${query}`}`
}
