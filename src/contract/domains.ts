/** Sites that may be shown inside the app, besides our own: the games' own pages about accounts and rules. */
export const webDomains: readonly string[] = ['pvp.qq.com', 'gp.qq.com', 'df.qq.com', 'ys.mihoyo.com', 'sr.mihoyo.com']

/** Host of an `http(s)` address; undefined for everything else (`javascript:`, `data:`, another scheme, rubbish). */
export const hostOf = (url: string): string | undefined =>
  /^https?:\/\/([a-z0-9.-]+(?::\d{1,5})?)(?:[/?#]|$)/i.exec(url)?.[1]?.toLowerCase()

/** Whether an address may be shown: of one of these hosts, or below one. @param own hosts that are ours */
export function isAllowed(url: string, own: readonly string[]): boolean {
  const host = hostOf(url)
  if (host === undefined) return false
  if (own.includes(host)) return true
  return url.startsWith('https://') && webDomains.some((d) => host === d || host.endsWith(`.${d}`))
}
