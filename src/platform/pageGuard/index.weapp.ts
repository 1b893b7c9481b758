import { hooks } from '@tarojs/shared'
import type { InstallPageGuard } from './port'

type Lifecycle = (this: { route: string }, ...args: unknown[]) => unknown
type PageObject = Record<string, unknown>

const isLifecycle = (v: unknown): v is Lifecycle => typeof v === 'function'

/** Wraps each page's `onLoad`; the other lifecycles of a page that was not started would crash inside Taro. */
export const installPageGuard: InstallPageGuard = (allow) => {
  hooks.tap('modifyPageObject', (page: PageObject) => {
    const blocked = new WeakSet<object>()
    const { onLoad } = page
    page.onLoad = function (this: { route: string }, query: Record<string, string> = {}, ...rest: unknown[]) {
      const pairs = Object.keys(query).map((key) => `${key}=${query[key]}`)
      if (allow(`/${this.route}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`)) {
        return isLifecycle(onLoad) ? onLoad.call(this, query, ...rest) : undefined
      }
      blocked.add(this)
      return undefined
    }
    for (const name of ['onShow', 'onReady', 'onHide', 'onUnload']) {
      const raw = page[name]
      if (!isLifecycle(raw)) continue
      page[name] = function (this: { route: string }, ...args: unknown[]) {
        return blocked.has(this) ? undefined : raw.apply(this, args)
      }
    }
  })
}
