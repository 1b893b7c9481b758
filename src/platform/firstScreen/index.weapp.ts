import Taro from '@tarojs/taro'
import { type EmbeddedResponses, PREFETCH_LIFETIME_MS } from '@/contract/prefetch'
import { device } from '@/platform/device'
import type { FirstScreen } from './port'

/** ms the first calls wait for prefetched data: it is available by then, or too late anyway */
const RENDER_TIMEOUT_MS = 50

const isAnswers = (value: unknown): value is EmbeddedResponses => typeof value === 'object' && value !== null

/** WeChat may return the previous launch's data if the current is not available yet, and passes error responses, too. */
function read({ fetchedData, timeStamp }: Taro.getBackgroundFetchData.SuccessCallbackResult): EmbeddedResponses {
  if (!(Math.abs(Date.now() - timeStamp) < PREFETCH_LIFETIME_MS)) return {}
  try {
    const { all, [device.os() === 'ios' ? 'ios' : 'other']: own } = JSON.parse(String(fetchedData))
    return isAnswers(all) && isAnswers(own) ? { ...all, ...own } : {}
  } catch {
    return {}
  }
}

const fetched = () =>
  new Promise<EmbeddedResponses>((resolve) => {
    const none = () => resolve({})
    setTimeout(none, RENDER_TIMEOUT_MS)
    Taro.getBackgroundFetchData({ fetchType: 'pre' }).then((r) => resolve(read(r)), none)
  })

let responses: EmbeddedResponses | Promise<EmbeddedResponses> | undefined
/** ms; set by the first call */
let until = 0

function pick(from: EmbeddedResponses, key: string): unknown {
  const response = from[key]
  delete from[key]
  return response
}

/** The first screen is part of the package; provides the responses WeChat prefetched during launch (数据预拉取). */
export const firstScreen: FirstScreen = {
  takeResponse(path, body) {
    if (responses === undefined) {
      until = Date.now() + PREFETCH_LIFETIME_MS
      responses = fetched().then((came) => {
        responses = came
        return came
      })
    }
    if (Date.now() > until) return undefined
    const key = `${path}\n${body}`
    return responses instanceof Promise ? responses.then((came) => pick(came, key)) : pick(responses, key)
  },
  isVisible: () => false,
  remove: () => undefined,
}
