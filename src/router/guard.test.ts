import { decide, loginRoutes, matchUrl } from './guard'
import { safeReturn } from './loginReturn'
import { type RouteName, routes } from './routes'

const names = Object.keys(routes) as RouteName[]

/** Spec §2, "Open without login", word for word; everything else requires login. */
const openList: Record<string, RouteName[]> = {
  root: ['home'],
  test: ['test'],
  'home index': ['home'],
  'coupon center': ['couponCenter'],
  webview: ['webview'],
  article: ['article'],
  'news and its sub-pages': ['news', 'newsDetail'],
  'evaluation index': ['evaluation'],
  'the report wx-iframe page': ['reportWxIframe'],
  'anything under login': ['loginH5', 'loginH5ResetPwd', 'loginWx', 'loginWxSms'],
  'listing guidelines': ['listingGuidelines'],
  'report highQuality': ['reportHighQuality'],
}
const open = new Set(Object.values(openList).flat())

it.each(names)('decides about %s as spec §2 says', (name) => {
  const url = `/${routes[name].path}`
  expect(decide(url, { loggedIn: true })).toEqual({ kind: 'open', name, url })
  expect(decide(url, { loggedIn: false })).toEqual(
    open.has(name) ? { kind: 'open', name, url } : { kind: 'login', name, back: url },
  )
})

it('has the 41 pages of spec §2, its wx-iframe page included, three of them tabs', () => {
  expect(names).toHaveLength(41)
  expect(names.filter((n) => 'tab' in routes[n])).toEqual(['home', 'evaluation', 'mine'])
})

it('keeps the declared parameters of the cancelled navigation for the way back', () => {
  const decision = decide('pages/evaluation/report/index?orderId=a%26b&stamp=4&evil=1#x', { loggedIn: false })
  expect(decision).toMatchObject({ kind: 'login', back: '/pages/evaluation/report/index?orderId=a%26b' })
})

it('takes the root for home and knows nothing else', () => {
  expect(matchUrl('/')?.name).toBe('home')
  for (const url of ['/nope', '/pages/home', '/pages/home/index/', '/PAGES/home/index', '//pages/home/index'])
    expect(decide(url, { loggedIn: true })).toEqual({ kind: 'unknown' })
})

it.each([
  ['/pages/evaluation/chooseGame?mode=AI', '/pages/evaluation/chooseGame?mode=AI'],
  ['/pages/evaluation/chooseGame?mode=AI&evil=1', '/pages/evaluation/chooseGame?mode=AI'],
  ['https://evil.example/pages/home/index', undefined],
  ['//evil.example/pages/home/index', undefined],
  ['/\\evil.example', undefined],
  ['javascript:alert(1)', undefined],
  ['', undefined],
  [undefined, undefined],
])('goes back after login to %s only as %s', (redirect, expected) => {
  expect(safeReturn(redirect)).toBe(expected)
})

it('never returns to a login page', () => {
  for (const name of loginRoutes) expect(safeReturn(`/${routes[name].path}`)).toBeUndefined()
})
