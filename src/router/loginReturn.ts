import { loginRoutes, matchUrl } from './guard'

/**
 * Where to go after login. `redirect` is read from the URL, so only paths of the route table are accepted:
 * never another site, never a login page again.
 */
export function safeReturn(redirect: string | undefined): string | undefined {
  const match = redirect ? matchUrl(redirect) : undefined
  return match && !loginRoutes.includes(match.name) ? match.url : undefined
}
