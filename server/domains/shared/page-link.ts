/**
 * Path of an app page with its parameters, as used in messages and buttons.
 * @param path from `@/contract/pages`, without a leading slash
 */
export function pageLink(path: string, params: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(params).toString()
  return `/${path}${query && `?${query}`}`
}
