/** Host of an `http(s)` URL; undefined for everything else (`javascript:`, `data:`, another scheme, invalid text). */
export const hostnameOf = (url: string): string | undefined =>
  /^https?:\/\/([a-z0-9.-]+(?::\d{1,5})?)(?:[/?#]|$)/i.exec(url)?.[1]?.toLowerCase()

/** Whether a URL belongs to one of these domains or a subdomain. */
export function isOnDomain(url: string, domains: readonly string[]): boolean {
  const host = hostnameOf(url)
  return host !== undefined && /^https:/i.test(url) && domains.some((d) => host === d || host.endsWith(`.${d}`))
}
