jest.mock('history/index.js', () => jest.requireActual('history'))

const { createBrowserHistory } = jest.requireActual<typeof import('history')>('../../config/shims/taro/history')

/** Resolves once the browser has moved. */
const moved = (go: () => void) =>
  new Promise((resolve) => {
    window.addEventListener('popstate', resolve, { once: true })
    go()
  })

it('going forward opens a page like a link; going back does not', async () => {
  const history = createBrowserHistory({ window })
  const seen: string[] = []
  history.listen(({ action, location }) => seen.push(`${action} ${location.pathname}${location.search}`))
  history.push('/report?id=1')
  history.push('/records')
  history.push('/report?id=2')
  await moved(() => history.go(-1))
  await moved(() => history.go(1))
  await moved(() => history.go(-2))
  await moved(() => history.go(2))
  history.replace('/report?id=3')
  expect(seen.slice(3)).toEqual([
    'POP /records',
    'PUSH /report?id=2',
    'POP /report?id=1',
    'PUSH /report?id=2',
    'REPLACE /report?id=3',
  ])
})
