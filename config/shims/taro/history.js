import { createBrowserHistory as create } from 'history/index.js'

export * from 'history/index.js'

/** Number of the current entry, which the package counts in its state. */
const position = () => {
  const { idx } = window.history.state || {}
  return idx
}

/**
 * Going forward opens a page like a link does. Taro takes every move for one back, to the nearest page of the same path:
 * forward to another report showed the one below.
 */
export function createBrowserHistory(options) {
  const history = create(options)
  const { listen } = history
  history.listen = (listener) => {
    // each listener compares with where it was told last: Taro adds a second one for a while
    let at = position()
    return listen((update) => {
      const from = at
      at = position()
      listener(update.action === 'POP' && at > from ? { ...update, action: 'PUSH' } : update)
    })
  }
  return history
}
