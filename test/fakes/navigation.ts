/**
 * Taro with a simulated page stack:
 * `jest.mock('@tarojs/taro', () => require('…/test/fakes/navigation').fakeTaro())`
 */

/** Navigations requested from the runtime, e.g. `push /pages/x/index?a=1`, `back 1`. */
export const navigations: string[] = []

/** Routes on the stack, newest last, as `getCurrentPages` gives them. */
export const stack: string[] = []

/** When set, the next navigation fails with it. */
export const refusal: { reason?: string } = {}

const move = (name: string) => async (o: { url?: string; delta?: number }) => {
  const { reason } = refusal
  refusal.reason = undefined
  if (reason) throw { errMsg: reason }
  navigations.push(`${name} ${o.url ?? o.delta}`)
}

export const fakeTaro = () => ({
  ...jest.requireActual('@tarojs/taro'),
  __esModule: true,
  navigateTo: move('push'),
  redirectTo: move('replace'),
  reLaunch: move('relaunch'),
  switchTab: move('tab'),
  navigateBack: move('back'),
  stopPullDownRefresh: () => void navigations.push('stop pull-down'),
  getCurrentPages: () =>
    stack.map((url) => {
      const [route, query] = url.split('?')
      return { route, $taroParams: Object.fromEntries((query ?? '').split('&').map((pair) => pair.split('='))) }
    }),
})
