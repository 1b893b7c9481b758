/** What spec §2 says of each page is in test/spec/2. */
import { decide, loginRoutes, matchUrl } from './guard'
import { safeReturn } from './loginReturn'
import { routes } from './routes'

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
