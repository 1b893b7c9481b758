import Taro from '@tarojs/taro'
import type { Meta } from './port'

/** Preview data of a share is given by the page's share hook; here only the title, which screen readers announce. */
export const meta: Meta = {
  // the h5 app is served from the API's origin
  address: (path) => (/^https?:/.test(path) ? path : API_BASE + path),
  // refused while no page is shown, e.g. during a launch
  set: ({ title }) => void Taro.setNavigationBarTitle({ title }).catch(() => undefined),
}
