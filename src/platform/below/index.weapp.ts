import { createIntersectionObserver, getCurrentInstance, nextTick } from '@tarojs/taro'
import type { WhenBelow } from './port'

/** px at the lower edge of the screen behind the tab bar: nobody sees what stands there */
const HIDDEN = 80

/** What is drawn is handed over piece by piece: the part that nobody has scrolled to costs a start nothing. */
export const whenBelow: WhenBelow = (id, then) => {
  const { page } = getCurrentInstance()
  let stop: () => void = () => undefined
  let over = false
  const end = () => {
    over = true
    stop()
  }
  // the element is there when what was drawn has been handed over
  nextTick(() => {
    if (over || !page) return
    const watch = createIntersectionObserver(page)
    stop = () => watch.disconnect()
    watch
      .relativeToViewport({ top: 0, right: 0, bottom: -HIDDEN, left: 0 })
      .observe(`#${id}`, ({ intersectionRatio = 0 }) => {
        if (over || intersectionRatio <= 0) return
        end()
        then()
      })
  })
  return end
}
