import { type EmbeddedResponses, PREFETCH_LIFETIME_MS } from '@/contract/prefetch'
import type { FirstScreen } from './port'

let responses: EmbeddedResponses | undefined

/** If the server-rendered screen is not meant for this user, its embedded responses are ignored, too. */
function read(): EmbeddedResponses {
  const el = document.querySelector('#first:not([hidden]) ~ #first-data')
  try {
    return JSON.parse(el?.textContent ?? '{}') as EmbeddedResponses
  } catch {
    return {}
  }
}

export const firstScreen: FirstScreen = {
  takeResponse(path, body) {
    if (performance.now() > PREFETCH_LIFETIME_MS) return undefined
    responses ??= read()
    const key = `${path}\n${body}`
    const response = responses[key]
    delete responses[key]
    return response
  },
  isVisible: () => document.querySelector('#first:not([hidden])') !== null,
  remove() {
    const first = document.getElementById('first')
    if (!first) return
    // the app has painted the identical page below by then
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        const page = document.querySelector('.taro_page_show')
        if (page) page.scrollTop = first.scrollTop
        first.remove()
      }),
    )
  },
}
