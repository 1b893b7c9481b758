import { buildUrl, readParams, splitQuery } from './params'
import { type RouteName, routes } from './routes'

/** Result of the route guard for a navigation (spec §2). */
export type GuardResult =
  | { kind: 'open'; name: RouteName; url: string }
  /** Cancelled: to the login page first, then to `back`. */
  | { kind: 'login'; name: RouteName; back: string }
  | { kind: 'unknown' }

const names = Object.keys(routes) as RouteName[]
const byPath = new Map(names.map((name) => [`/${routes[name].path}`, name]))

export const loginRoutes: readonly RouteName[] = ['loginH5', 'loginH5ResetPwd', 'loginWx', 'loginWxSms']

/** Route of a URL inside the app, and its canonical form with declared parameters only. */
export function matchUrl(url: string): { name: RouteName; url: string } | undefined {
  const [bare = ''] = url.split('#')
  const question = bare.indexOf('?')
  const path = question < 0 ? bare : bare.slice(0, question)
  const name = path === '/' || path === '' ? 'home' : byPath.get(path.startsWith('/') ? path : `/${path}`)
  if (!name) return undefined
  return { name, url: buildUrl(name, readParams(name, splitQuery(question < 0 ? '' : bare.slice(question + 1)))) }
}

/** Pure. Everything that is not marked open in the route table needs a login. */
export function decide(url: string, who: { loggedIn: boolean }): GuardResult {
  const match = matchUrl(url)
  if (!match) return { kind: 'unknown' }
  const route = routes[match.name]
  if (who.loggedIn || 'open' in route) return { kind: 'open', ...match }
  return { kind: 'login', name: match.name, back: match.url }
}
